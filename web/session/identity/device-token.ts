/** The key of the device token in local storage. Signing out leaves it. */
const KEY = 'coomercioDevice';

/**
 * Answers the token by which the identity provider recognizes this browser: attempts from a browser that has signed in
 * before are counted apart from those of strangers, and an address that is proven in the browser that registered keeps
 * its password. Without storage the token lasts as long as the page.
 * @param open may throw, as reading `window.localStorage` may
 * @param create makes a new token: 32 to 64 letters and digits that nobody guesses
 */
export function deviceTokenSource(open: () => Storage, create: () => string): () => string {
  let token: string | null = null;
  return () => {
    if (token !== null) return token;
    try {
      const storage = open();
      token = storage.getItem(KEY) ?? create();
      storage.setItem(KEY, token);
    } catch (error) {
      console.warn('This browser keeps no device token.', error);
      token ??= create();
    }
    return token;
  };
}
