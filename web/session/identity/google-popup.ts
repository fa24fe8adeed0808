import * as z from 'zod/mini';
import type { Environment, OpenedWindow } from './environment.ts';
import { IdentityError, identityErrorFromPopup } from './errors.ts';

const WIDTH = 500;
const HEIGHT = 600;

/** Milliseconds between checks whether the user closed the window. */
const CHECK_INTERVAL = 500;

/** Milliseconds until the window is closed; the provider forgets the attempt after the same time. */
const POPUP_TIMEOUT = 10 * 60_000;

/** The message that the provider's last page in the window posts. */
const PopupMessage = z.object({
  type: z.literal('better-auth:oauth-popup'),
  nonce: z.string(),
  token: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string() })),
});

/**
 * Creates a function that opens the Google window and resolves with the session token that it posts. It must be called
 * during a click, or browsers block the window. It throws IdentityError. Opening a second window cancels the first.
 * @param url the provider's address, ending in `/identity`
 */
export function createGooglePopup(url: string, environment: Environment): () => Promise<string> {
  const providerOrigin = new URL(url, environment.origin).origin;
  let cancelPrevious: (() => void) | null = null;

  function open(nonce: string): OpenedWindow | null {
    const address = new URL(url, environment.origin);
    address.pathname = `${address.pathname.replace(/\/$/, '')}/popup/google`;
    address.search = new URLSearchParams({ origin: environment.origin, nonce }).toString();
    const { left, top, width, height } = environment.windowBounds();
    const features = [
      'popup',
      `width=${WIDTH}`,
      `height=${HEIGHT}`,
      `left=${Math.max(0, Math.round(left + (width - WIDTH) / 2))}`,
      `top=${Math.max(0, Math.round(top + (height - HEIGHT) / 2))}`,
    ].join(',');
    return environment.openWindow(address.href, 'coomercioGoogle', features);
  }

  function waitForToken(popup: OpenedWindow, nonce: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        stopListening();
        clearInterval(check);
        clearTimeout(limit);
        if (cancelPrevious === cancel) cancelPrevious = null;
        settle();
      };
      const fail = (error: IdentityError) => finish(() => reject(error));
      const cancel = () => fail(new IdentityError('auth/cancelled-popup-request'));
      cancelPrevious = cancel;

      const stopListening = environment.onMessage(({ origin, data }) => {
        if (origin !== providerOrigin) return;
        const message = PopupMessage.safeParse(data);
        if (!message.success || message.data.nonce !== nonce) return;
        const { token, error } = message.data;
        popup.close();
        if (token !== undefined) finish(() => resolve(token));
        else fail(identityErrorFromPopup(error?.code ?? ''));
      });
      const limit = setTimeout(() => {
        popup.close();
        fail(new IdentityError('auth/timeout'));
      }, POPUP_TIMEOUT);
      let wasClosed = false;
      const check = setInterval(() => {
        // A window that posted its message closes itself, and the message may arrive a moment later.
        if (popup.closed && wasClosed) fail(new IdentityError('auth/popup-closed-by-user'));
        wasClosed = popup.closed;
      }, CHECK_INTERVAL);
    });
  }

  return async () => {
    cancelPrevious?.();
    const nonce = environment.createRandomHex();
    const popup = open(nonce);
    if (popup === null || popup.closed) throw new IdentityError('auth/popup-blocked');
    popup.focus();
    return waitForToken(popup, nonce);
  };
}
