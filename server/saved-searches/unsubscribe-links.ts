import { createHmac, timingSafeEqual } from 'node:crypto';
import { UNSUBSCRIBE_PATH } from '#contract/saved-searches.ts';

/** The length of an id in bytes. */
const ID_BYTES = 16;

const sign = (key: Uint8Array, id: Buffer): Buffer =>
  createHmac('sha256', key).update('saved search').update(id).digest();

/**
 * Creates the links that stop the emails of a saved search without a sign-in (RFC 8058). A link contains the id of its search
 * and a signature, so that none can be guessed and the links of old emails stay valid without being stored.
 * @param keys the first one signs; links that others signed stay valid
 */
export function createUnsubscribeLinks(origin: string, keys: readonly [Uint8Array, ...Uint8Array[]]) {
  return {
    /** The URL of the link of a search. */
    urlFor(searchId: string): string {
      const id = Buffer.from(searchId.replaceAll('-', ''), 'hex');
      return `${origin}${UNSUBSCRIBE_PATH}/${Buffer.concat([id, sign(keys[0], id)]).toString('base64url')}`;
    },
    /** Returns the id of a link's search; null when the shop did not sign the token. */
    searchIdOf(token: string): string | null {
      // The decoder ignores incomplete and unknown characters.
      if (!/^[\w-]{64}$/.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const id = bytes.subarray(0, ID_BYTES);
      const signature = bytes.subarray(ID_BYTES);
      const isValid = keys.some((key) => {
        const expected = sign(key, id);
        return signature.length === expected.length && timingSafeEqual(signature, expected);
      });
      if (!isValid) return null;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}

export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>;
