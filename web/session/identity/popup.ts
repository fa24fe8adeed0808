import * as z from 'zod/mini';
import type { Environment, OpenedWindow } from './environment.ts';
import { IdentityError, identityErrorFromPopup } from './errors.ts';

export const POPUP_WIDTH = 500;
export const POPUP_HEIGHT = 600;

/** How often the popup is looked at to see whether the person closed it, in milliseconds. */
const WATCH_INTERVAL = 500;

/** How long the person may take in the popup, in milliseconds; the provider forgets the attempt then too. */
export const POPUP_LIMIT = 10 * 60_000;

/** What the provider's page at the end of the popup posts. */
const Outcome = z.object({
  type: z.literal('better-auth:oauth-popup'),
  nonce: z.string(),
  token: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string() })),
});

export interface Popups {
  /**
   * Opens the Google window, in the same turn as the click that asked for it, or browsers block it.
   * @returns the session token
   * @throws IdentityError
   */
  signInWithGoogle(): Promise<string>;
}

/** @param url the provider's address, ending in `/identity` */
export function createPopups(url: string, environment: Environment): Popups {
  const { clock } = environment;
  const providerOrigin = new URL(url, environment.origin).origin;
  let cancelPrevious: (() => void) | null = null;

  function open(nonce: string): OpenedWindow | null {
    const address = new URL(url, environment.origin);
    address.pathname = `${address.pathname.replace(/\/$/, '')}/popup/google`;
    address.search = new URLSearchParams({ origin: environment.origin, nonce }).toString();
    const { left, top, width, height } = environment.placement();
    const features = [
      'popup',
      `width=${POPUP_WIDTH}`,
      `height=${POPUP_HEIGHT}`,
      `left=${Math.max(0, Math.round(left + (width - POPUP_WIDTH) / 2))}`,
      `top=${Math.max(0, Math.round(top + (height - POPUP_HEIGHT) / 2))}`,
    ].join(',');
    return environment.openWindow(address.href, 'coomercioGoogle', features);
  }

  function outcomeOf(popup: OpenedWindow, nonce: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let stopWatching = () => {};
      const finish = (settle: () => void) => {
        stopListening();
        stopWatching();
        stopWaiting();
        if (cancelPrevious === cancel) cancelPrevious = null;
        settle();
      };
      const fail = (error: IdentityError) => finish(() => reject(error));
      const cancel = () => fail(new IdentityError('auth/cancelled-popup-request'));
      cancelPrevious = cancel;

      const stopListening = environment.onMessage(({ origin, data }) => {
        if (origin !== providerOrigin) return;
        const heard = Outcome.safeParse(data);
        if (!heard.success || heard.data.nonce !== nonce) return;
        const { token, error } = heard.data;
        popup.close();
        if (token !== undefined) finish(() => resolve(token));
        else fail(identityErrorFromPopup(error?.code ?? ''));
      });
      const stopWaiting = clock.after(POPUP_LIMIT, () => {
        popup.close();
        fail(new IdentityError('auth/timeout'));
      });
      const watch = (wasClosed: boolean) => {
        stopWatching = clock.after(WATCH_INTERVAL, () => {
          // A window that hands over its outcome closes itself; the message may arrive a moment later.
          if (popup.closed && wasClosed) fail(new IdentityError('auth/popup-closed-by-user'));
          else watch(popup.closed);
        });
      };
      watch(false);
    });
  }

  return {
    async signInWithGoogle() {
      cancelPrevious?.();
      const nonce = environment.randomText();
      const popup = open(nonce);
      if (popup === null || popup.closed) throw new IdentityError('auth/popup-blocked');
      popup.focus();
      return outcomeOf(popup, nonce);
    },
  };
}
