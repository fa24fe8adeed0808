import type { PageWindow } from './google-popup.ts';
import { withLock } from './lock.ts';
import { browserPasskeys, type PasskeyDevice } from './passkeys.ts';
import { browserStores, type Store } from './persistence.ts';
import { openTabChannel } from './sign-in-lookup.ts';

/** The browser APIs that the session uses. */
export interface Environment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Stores for the sign-in, the preferred one first. */
  readonly stores: readonly Store[];
  /** For the shop's token and the device token. May throw. */
  localStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Opens the channel between the shop's tabs of this browser. */
  openTabChannel(onMessage: (message: unknown) => void): Pick<BroadcastChannel, 'postMessage' | 'close'>;
  /** Runs work under a lock that all tabs of this browser share. */
  withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  readonly page: PageWindow;
  readonly passkeys: PasskeyDevice;
}

/** Returns the APIs of the browser. It can be called only in a browser. */
export function browserEnvironment(): Environment {
  return {
    fetch: (url, init) => fetch(url, init),
    stores: browserStores,
    localStorage: () => localStorage,
    openTabChannel,
    withLock,
    page: window,
    passkeys: browserPasskeys,
  };
}
