import { randomHex } from '../../requests/random-hex.ts';

/** Storage key of the device token. Signing out keeps it. */
const KEY = 'coomercioDevice';

/**
 * Creates a function that returns the token by which the identity provider recognizes this browser. The provider counts
 * sign-in attempts of known browsers apart, and an address verified in the browser that registered keeps its password.
 * Without storage the token lasts as long as the page.
 * @param open may throw, as reading `window.localStorage` may
 */
export function createDeviceTokenSource(open: () => Pick<Storage, 'getItem' | 'setItem'>): () => string {
  let token: string | null = null;
  return () => {
    if (token !== null) return token;
    try {
      const storage = open();
      token = storage.getItem(KEY) ?? randomHex();
      storage.setItem(KEY, token);
    } catch (error) {
      console.warn('The device token could not be stored.', error);
      token ??= randomHex();
    }
    return token;
  };
}
