import * as z from 'zod/mini';
import { randomHex } from '../../requests/random-hex.ts';
import { identityError, identityErrorFromPopup } from './errors.ts';

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
 * `better-auth/client` has such a function too, but it keeps the token to itself and takes its session from a cookie.
 * @param url the provider's address, ending in `/identity`
 */
export function createGooglePopup(url: string): () => Promise<string> {
  let cancelPrevious = () => {};

  function open(nonce: string): Window {
    const { origin } = window.location;
    const address = new URL(`${url}/popup/google?${new URLSearchParams({ origin, nonce })}`, origin);
    const left = Math.max(0, Math.round(window.screenX + (window.outerWidth - WIDTH) / 2));
    const top = Math.max(0, Math.round(window.screenY + (window.outerHeight - HEIGHT) / 2));
    const features = `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`;
    const popup = window.open(address.href, 'coomercioGoogle', features);
    if (popup === null || popup.closed) throw identityError('window_blocked');
    popup.focus();
    return popup;
  }

  return async () => {
    cancelPrevious();
    const nonce = randomHex();
    const popup = open(nonce);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    cancelPrevious = () => reject(identityError('window_replaced'));
    const providerOrigin = new URL(url, window.location.origin).origin;
    const receive = (event: MessageEvent<unknown>) => {
      const { success, data } = PopupMessage.safeParse(event.data);
      if (!success || event.origin !== providerOrigin || data.nonce !== nonce) return;
      popup.close();
      if (data.token !== undefined) resolve(data.token);
      else reject(identityErrorFromPopup(data.error?.code ?? ''));
    };
    window.addEventListener('message', receive);
    const limit = setTimeout(() => {
      popup.close();
      reject(identityError('window_timeout'));
    }, POPUP_TIMEOUT);
    let wasClosed = false;
    const check = setInterval(() => {
      // A window that posted its message closes itself, and the message may arrive a moment later.
      if (popup.closed && wasClosed) reject(identityError('window_closed'));
      wasClosed = popup.closed;
    }, CHECK_INTERVAL);
    return promise.finally(() => {
      window.removeEventListener('message', receive);
      clearInterval(check);
      clearTimeout(limit);
    });
  };
}
