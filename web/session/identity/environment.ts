import { confirmSignOut, endPush, forgetPrivateData } from '../forget-private-data.ts';
import { claimPrivateData } from '../private-data-owner.ts';
import { browserStores } from './persistence.ts';
import { openTabChannel } from './sign-in-lookup.ts';

/** The browser APIs that belong to one user. Tests open several sessions in one process. */
export const browserEnvironment = {
  fetch: (url: string, init: RequestInit): Promise<Response> => fetch(url, init),
  /** Stores for the sign-in, the preferred one first. */
  stores: browserStores,
  /** For the shop's token and the device token. May throw. */
  localStorage: (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => localStorage,
  openTabChannel,
  /** Resolves at once, or offline when the browser is online again. */
  whenOnline: (): Promise<void> =>
    new Promise((resolve) => {
      if (navigator.onLine) resolve();
      else addEventListener('online', () => resolve(), { once: true });
    }),
  claimPrivateData,
  confirmSignOut,
  endPush,
  forgetPrivateData,
};
export type Environment = typeof browserEnvironment;
