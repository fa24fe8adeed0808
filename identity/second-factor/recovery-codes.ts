import { randomInt } from 'node:crypto';

/** How many a person gets at once. */
export const RECOVERY_CODES = 10;

/** Letters and digits that nobody mistakes for each other on paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const LENGTH = 12;

/** New recovery codes, as they are shown once: `abcd-efgh-jkmn`, 59 bits each. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: LENGTH }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
    return code.match(/.{4}/g)?.join('-') ?? code;
  });
}

/** What somebody typed, as a code counts: without the spaces, hyphens and capitals that people add. */
export function tidyCode(typed: string): string {
  return typed.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Whether a code is one of an authenticator app; anything else can only be a recovery code. */
export function isAppCode(tidied: string): boolean {
  return /^\d{6}$/.test(tidied);
}
