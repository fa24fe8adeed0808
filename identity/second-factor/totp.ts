import { createHmac } from 'node:crypto';

/** How long a code stands, in seconds, and how many digits it has: what every authenticator app assumes. */
const PERIOD = 30;
const DIGITS = 6;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in base 32 (RFC 4648) without padding, as authenticator apps take a key. */
export function base32(bytes: Uint8Array): string {
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

/** The number of the period in which a moment lies. @param time milliseconds since 1970 */
export const stepAt = (time: number) => Math.floor(time / 1000 / PERIOD);

/** The code of a period (RFC 6238 on HMAC-SHA-1). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The period whose code this is: the present one or a neighbour, because clocks differ and people type slowly.
 * @param time milliseconds since 1970
 * @returns null for a code of none of them
 */
export function stepOf(secret: Uint8Array, code: string, time: number): number | null {
  const present = stepAt(time);
  // All are computed whatever comes first, so that the time taken says nothing.
  const matching = [present - 1, present, present + 1].filter((step) => codeAt(secret, step) === code);
  return matching.at(-1) ?? null;
}

/** What a QR code for an authenticator app says. */
export function setupUrl(secret: Uint8Array, email: string): string {
  const query = new URLSearchParams({
    secret: base32(secret),
    issuer: 'Coomercio',
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(PERIOD),
  });
  return `otpauth://totp/${encodeURIComponent(`Coomercio:${email}`)}?${query}`;
}
