import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long an address is valid at least, in seconds. All addresses of an hour are the same, so that browsers cache the photo. */
const LIFETIME_SECONDS = 3600;

/** The length of each half of a private photo's hash, in hexadecimal digits. */
const HALF = 32;

const secondHalf = (firstHalf: string): string =>
  createHash('sha256').update(`private photo ${firstHalf}`).digest('hex').slice(0, HALF);

/**
 * A new hash for a private photo: random, and recognized by its second half. So the name alone says that a photo is private, also
 * in a backup, and no upload has such a hash by itself.
 */
export function createPrivateHash(): string {
  const random = randomBytes(HALF / 2).toString('hex');
  return `${random}${secondHalf(random)}`;
}

/** Whether a hash is that of a private photo. */
export const isPrivateHash = (hash: string): boolean => hash.slice(HALF) === secondHalf(hash.slice(0, HALF));

const hashAndName = /\/photos\/(([0-9a-f]{64})-[^/?]*)/;

/** Whether the photo with this path or URL is private. */
export function isPrivatePhoto(path: string): boolean {
  const hash = hashAndName.exec(path)?.[2];
  return hash !== undefined && isPrivateHash(hash);
}

export type PhotoLinks = ReturnType<typeof createPhotoLinks>;

/**
 * Creates the addresses of photos. Those of private photos are signed and end after one to two hours.
 * @param origin without a trailing slash
 * @param key signs
 */
export function createPhotoLinks(origin: string, key: Uint8Array) {
  const sign = (name: string, until: number) =>
    createHmac('sha256', key).update(`${name} ${until}`).digest('base64url');

  return {
    /** The address of a photo in its stored form. */
    urlOf(stored: string, now = new Date()): string {
      const url = stored.startsWith('/') ? `${origin}${stored}` : stored;
      const name = isPrivatePhoto(stored) ? hashAndName.exec(stored)?.[1] : undefined;
      if (name === undefined) return url;
      const until = (Math.floor(now.getTime() / 1000 / LIFETIME_SECONDS) + 2) * LIFETIME_SECONDS;
      return `${url}?until=${until}&signature=${sign(name, until)}`;
    },
    /** Whether an address is signed and has not ended. @param path below the origin, such as `/photos/…` */
    isValid(
      path: string,
      { until, signature }: { until: number; signature: string },
      now = new Date(),
    ): boolean {
      const name = hashAndName.exec(path)?.[1];
      if (name === undefined || until * 1000 < now.getTime()) return false;
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(name, until))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
