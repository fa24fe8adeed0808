import type { FastifyBaseLogger } from 'fastify';
import { Refusal } from '../refusals.ts';
import { isBreached, validateRangeService } from './breached-passwords.ts';
import { isCommonPassword } from './common-passwords.ts';

export interface PasswordOptions {
  /** Whether the shop's name is refused as a password, as words of the built-in list are. */
  readonly refusesShopName?: boolean;
  /** URL of a service with the range protocol of Have I Been Pwned. Without it, only the built-in list is checked. */
  readonly rangeUrl?: string;
}

const sentence =
  'This password is among those that are tried first when accounts are broken into. Please choose another, such as several unrelated words.';

const breachedPassword = () => new Refusal('breached_password', sentence, { password: sentence });

/** Lists the words of an email address and a name that an attacker would guess. */
function personalWords({ email, name }: { email: string; name: string }): string[] {
  const [local = ''] = email.split('@');
  return [local, ...local.split(/[^\p{L}]+/u), name.replace(/\s+/g, ''), ...name.split(/\s+/)];
}

/**
 * Creates the check of new passwords.
 * @returns a function that throws Refusal `breached_password` for a password that is commonly guessed
 * @throws Error with a sentence when the configured URL is not a range service
 */
export async function createPasswordCheck(
  { refusesShopName = false, rangeUrl }: PasswordOptions,
  shopName: () => string,
  log: FastifyBaseLogger,
) {
  // Fails open: registration must not depend on an external service. The built-in list is checked in any case.
  const logUnavailable = (error: unknown) =>
    log.warn({ err: error }, 'The breached-password service is unavailable');
  if (rangeUrl !== undefined) await validateRangeService(rangeUrl, logUnavailable);
  return async (password: string, person: { email: string; name: string }): Promise<void> => {
    const ofShop = refusesShopName ? personalWords({ email: '', name: shopName() }) : [];
    if (isCommonPassword(password, [...ofShop, ...personalWords(person)])) throw breachedPassword();
    if (rangeUrl === undefined) return;
    const breached = await isBreached(password, rangeUrl).catch((error: unknown) => {
      logUnavailable(error);
      return false;
    });
    if (breached) throw breachedPassword();
  };
}
