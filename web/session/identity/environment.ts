import { endPush } from '../end-push.ts';
import { forgetPrivateData } from '../forget-private-data.ts';
import { browserStores, type Store } from './persistence.ts';
import { openTabChannel } from './sign-in-lookup.ts';

/** The browser APIs that belong to one user. Tests open several sessions in one process. */
export interface Environment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Stores for the sign-in, the preferred one first. */
  readonly stores: readonly Store[];
  /** For the shop's token and the device token. May throw. */
  localStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Opens the channel between the shop's tabs of this browser. */
  openTabChannel(onMessage: (message: unknown) => void): Pick<BroadcastChannel, 'postMessage' | 'close'>;
  /** Resolves at once, or offline when the browser is online again. */
  whenOnline(): Promise<void>;
  /** Ends the push messages to this browser, in which nobody is signed in any more. */
  endPush(): Promise<void>;
  /** Removes the user's drafts, unsent messages and the like from this browser. */
  forgetPrivateData(): void;
}

export const browserEnvironment: Environment = {
  fetch: (url, init) => fetch(url, init),
  stores: browserStores,
  localStorage: () => localStorage,
  openTabChannel,
  whenOnline: () =>
    new Promise((resolve) => {
      if (navigator.onLine) resolve();
      else addEventListener('online', () => resolve(), { once: true });
    }),
  endPush,
  forgetPrivateData,
};
