import { randomInt } from 'node:crypto';

/** Number of codes in a set. */
export const RECOVERY_CODES = 10;

/** Without characters that are easily confused on paper: i, l, o, 0, 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const LENGTH = 12;

/** Generates a set of recovery codes such as `abcd-efgh-jkmn`, with 59 bits of entropy each. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: LENGTH }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
    return code.match(/.{4}/g)?.join('-') ?? code;
  });
}

/** Normalizes a typed code: lower case, without spaces and hyphens. */
export function normalizeCode(typed: string): string {
  return typed.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Checks whether a normalized code has the form of an authenticator app's. Any other is a recovery code. */
export function isTotpCode(normalized: string): boolean {
  return /^\d{6}$/.test(normalized);
}
