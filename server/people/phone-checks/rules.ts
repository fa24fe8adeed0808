import { createHmac, timingSafeEqual } from 'node:crypto';
import { type OwnPhone, PHONE_CODE_ATTEMPTS, PHONE_CODE_MINUTES } from '#contract/people/phone-checks.ts';
import type { Row, UserRow } from '#server/platform/database/tables.ts';
import { formatPhone } from '../phone-numbers.ts';

/** How many codes a person may ask for within an hour, and within a day. */
export const CODES_PER_HOUR = 5;
export const CODES_PER_DAY = 10;

/** How many codes are sent to a number within a day in UTC, for all people together. */
export const CODES_PER_NUMBER = 5;

/**
 * How many codes are sent in a day to people at one address: a tenth of all, so that nobody uses up everybody's, and as many as one
 * person may ask for.
 * @param perDay the most codes that the shop sends in a day
 */
export const codesPerAddress = (perDay: number): number => Math.max(CODES_PER_DAY, Math.floor(perDay / 10));

/** The name under which all codes of a day are counted. */
export const SHOP_SUBJECT = 'shop';

const keyed = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * The six digits of a code. They are derived from the code's id with a secret key, so that neither the database nor the job queue
 * contains them, and a job that runs again has the same ones. The modulo bias of 48 bits is below 10^-8.
 */
export function codeOf(key: Uint8Array, id: string): string {
  const number = keyed(key, `code ${id}`).readUIntBE(0, 6) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** Compares a typed code in constant time. @param typed six digits, perhaps with spaces */
export function isCode(key: Uint8Array, id: string, typed: string): boolean {
  const [given, right] = [typed.replaceAll(' ', ''), codeOf(key, id)].map((code) => Buffer.from(code));
  if (given === undefined || right === undefined) return false;
  return given.length === right.length && timingSafeEqual(given, right);
}

/** The name under which the codes to a number are counted: a keyed hash, because a plain one of a number can be reversed. */
export const numberSubject = (key: Uint8Array, phone: string): string =>
  keyed(key, `number ${phone}`).toString('base64url');

/** The name under which the codes to people at an address are counted. @param prefix as of `ipPrefixes` */
export const addressSubject = (key: Uint8Array, prefix: string): string =>
  keyed(key, `address ${prefix}`).toString('base64url');

/** Whether codes are sent at all: an owner who has not said to which numbers might get an open bill. */
export const sendsCodes = (
  { needsPrefixes }: { needsPrefixes: boolean },
  prefixes: readonly string[],
): boolean => !needsPrefixes || prefixes.length > 0;

/** Whether codes are sent to a number. @param prefixes such as `+351`; all numbers without any */
export const isServedNumber = (phone: string, prefixes: readonly string[]): boolean =>
  prefixes.length === 0 || prefixes.some((prefix) => phone.startsWith(prefix));

/**
 * The text of the message, within 160 characters for hosts of up to 41. Browsers offer the code of its last line on pages of this
 * host only (https://wicg.github.io/sms-one-time-codes/).
 * @param host the shop's host name
 */
export const messageText = (code: string, host: string): string =>
  `${code} is your code for ${host}. It expires in ${PHONE_CODE_MINUTES} minutes. Never share it.\n\n@${host} #${code}`;

/** @param code the latest one; undefined when it was used or has expired */
export const toOwnPhone = (
  offered: boolean,
  user: Pick<UserRow, 'phone' | 'phone_confirmed_at'> | undefined,
  code: Pick<Row<'phone_codes'>, 'phone' | 'state' | 'expires_at' | 'wrong_attempts'> | undefined,
): OwnPhone => ({
  offered,
  confirmed:
    user === undefined || user.phone === null || user.phone_confirmed_at === null
      ? null
      : { phone: formatPhone(user.phone), confirmedAt: user.phone_confirmed_at.toISOString() },
  code:
    code === undefined
      ? null
      : {
          phone: formatPhone(code.phone),
          state: code.state === 'waiting' ? 'sending' : code.state,
          expiresAt: code.expires_at.toISOString(),
          attemptsLeft: PHONE_CODE_ATTEMPTS - code.wrong_attempts,
        },
});

/** The next midnight in UTC, when the counts of a day begin again. */
export const nextDay = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));

/** What an admin reads about the sending of codes. */
export interface SmsFigures {
  /** How many codes were sent today, in UTC. */
  today: number;
  /** What became of the latest code of the last day; null without one. */
  last: { state: Row<'phone_codes'>['state']; askedAt: Date } | null;
}
