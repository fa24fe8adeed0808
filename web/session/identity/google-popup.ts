import * as z from 'zod/mini';
import { randomHex } from '../../requests/random-hex.ts';
import { identityError, identityErrorFromPopup } from './errors.ts';

type OpenedWindow = Pick<Window, 'closed' | 'close' | 'focus'>;
type MessageListener = (message: { origin: string; data: unknown }) => void;

/** The members of `window` that open a second window. */
export interface PageWindow extends Pick<Window, 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight'> {
  readonly location: { readonly origin: string };
  open(url: string, target: string, features: string): OpenedWindow | null;
  addEventListener(type: 'message', listener: MessageListener): void;
  removeEventListener(type: 'message', listener: MessageListener): void;
}

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
export function createGooglePopup(url: string, page: PageWindow): () => Promise<string> {
  const { origin } = page.location;
  const providerOrigin = new URL(url, origin).origin;
  let cancelPrevious = () => {};

  function open(nonce: string): OpenedWindow {
    const address = new URL(url, origin);
    address.pathname = `${address.pathname.replace(/\/$/, '')}/popup/google`;
    address.search = new URLSearchParams({ origin, nonce }).toString();
    const left = Math.max(0, Math.round(page.screenX + (page.outerWidth - WIDTH) / 2));
    const top = Math.max(0, Math.round(page.screenY + (page.outerHeight - HEIGHT) / 2));
    const features = `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`;
    const popup = page.open(address.href, 'coomercioGoogle', features);
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
    const receive: MessageListener = (event) => {
      const { success, data } = PopupMessage.safeParse(event.data);
      if (!success || event.origin !== providerOrigin || data.nonce !== nonce) return;
      popup.close();
      if (data.token !== undefined) resolve(data.token);
      else reject(identityErrorFromPopup(data.error?.code ?? ''));
    };
    page.addEventListener('message', receive);
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
      page.removeEventListener('message', receive);
      clearInterval(check);
      clearTimeout(limit);
    });
  };
}
