import { createHmac } from 'node:crypto';

/** Period in seconds and length of a code: the values that every authenticator app supports. */
const PERIOD = 30;
const DIGITS = 6;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes in base 32 (RFC 4648) without padding, as authenticator apps expect a key. */
export function encodeBase32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += alphabet.charAt((value >>> (bits - 5)) & 31);
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31);
}

/** Returns the time step of RFC 6238. @param time milliseconds since 1970 */
export const timeStepAt = (time: number) => Math.floor(time / 1000 / PERIOD);

/** Computes the code of a time step (RFC 6238 with HMAC-SHA-1). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * Finds the time step of a code: the current, previous or next one, to allow for clock drift and typing time.
 * @param time milliseconds since 1970
 * @returns null for any other code
 */
export function findMatchingStep(secret: Uint8Array, code: string, time: number): number | null {
  const current = timeStepAt(time);
  // All three are computed in any case, so that the time taken does not depend on the code.
  const matching = [current - 1, current, current + 1].filter((step) => codeAt(secret, step) === code);
  return matching.at(-1) ?? null;
}

/** Returns the otpauth URL that the QR code for an authenticator app contains. @param shop the shop's name */
export function setupUrl(secret: Uint8Array, email: string, shop: string): string {
  const query = new URLSearchParams({
    secret: encodeBase32(secret),
    issuer: shop,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(PERIOD),
  });
  return `otpauth://totp/${encodeURIComponent(`${shop}:${email}`)}?${query}`;
}
