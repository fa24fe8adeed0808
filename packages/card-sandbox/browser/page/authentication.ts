import { type FromAuthentication, type ToAuthentication, unwrap } from '../messages.ts';

const LOAD_TIMEOUT_MS = 20_000;

/**
 * Opens the 3-D Secure dialog over the page.
 * @returns true once the buyer has passed or failed it, false if the dialog could not be loaded
 */
export function openAuthentication(
  origin: string,
  key: string,
  intent: string,
  clientSecret: string,
): Promise<boolean> {
  const id = `authentication-${crypto.randomUUID()}`;
  const dialog = document.createElement('dialog');
  const frame = document.createElement('iframe');
  dialog.setAttribute('aria-label', 'Card authentication');
  dialog.style.cssText = `position: fixed; inset: 0; box-sizing: border-box; width: 100%; height: 100%;
    max-width: none; max-height: none; margin: 0; padding: 16px; border: 0; outline: none;
    background: rgba(20, 20, 28, 0.6); display: grid; place-items: center`;
  frame.title = 'Card authentication';
  frame.name = `__privateStripeFrame-${id}`;
  frame.src = `${origin}/frames/authentication#${new URLSearchParams({
    id,
    parentOrigin: location.origin,
    key,
    intent,
    clientSecret,
  })}`;
  frame.style.cssText = `width: 100%; max-width: 440px; height: 420px; max-height: 100%; border: 0;
    border-radius: 12px; color-scheme: light; background: #fff`;
  dialog.append(frame);
  document.body.append(dialog);
  // Prevents the page behind the dialog from scrolling.
  const { overflow } = document.documentElement.style;
  document.documentElement.style.overflow = 'hidden';
  dialog.tabIndex = -1;
  dialog.showModal();
  // A frame that is still loading swallows keys such as Escape, so it gets the focus only when it listens.
  dialog.focus();

  return new Promise((resolve) => {
    let listening = false;
    let isCancelled = false;
    const fail: ToAuthentication = { type: 'fail' };
    const send = () => frame.contentWindow?.postMessage({ stripeFrame: id, message: fail }, origin);
    const finish = (loaded: boolean) => {
      clearTimeout(timer);
      window.removeEventListener('message', receive);
      dialog.removeEventListener('close', cancel);
      document.documentElement.style.overflow = overflow;
      dialog.close();
      dialog.remove();
      resolve(loaded);
    };
    const receive = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== frame.contentWindow) return;
      const message = unwrap<FromAuthentication>(event.data, id);
      if (message?.type === 'finished') finish(true);
      if (message?.type !== 'listening') return;
      listening = true;
      frame.focus();
      clearTimeout(timer);
      if (isCancelled) send();
    };
    const timer = setTimeout(() => finish(false), LOAD_TIMEOUT_MS);
    // A close fails the authentication; the dialog ends when the frame has reported it.
    const cancel = () => {
      isCancelled = true;
      if (listening) send();
    };
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      cancel();
    });
    // Browsers close a dialog despite preventDefault on a second Escape without another user action.
    dialog.addEventListener('close', cancel);
    window.addEventListener('message', receive);
  });
}
