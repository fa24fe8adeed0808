import type { FastifyBaseLogger } from 'fastify';
import { Refusal } from '../refusals.ts';
import { demandRange, isInBreach } from './breached-passwords.ts';
import { isCommon } from './common-passwords.ts';

export interface PasswordOptions {
  /** Words that no password may consist of beside the list that ships, such as the shop's name. */
  readonly refusedWords?: readonly string[];
  /** A service that speaks the range protocol of Have I Been Pwned; nobody is asked without it. */
  readonly rangeUrl?: string;
}

const sentence =
  'This password is among those that are tried first when accounts are broken into. Please choose another, such as words that only you would put together.';

const refused = () => new Refusal('breached_password', sentence, { password: sentence });

/** The words that an e-mail address and a name give away to whoever guesses. */
function wordsOf({ email, name }: { email: string; name: string }): string[] {
  const [local = ''] = email.split('@');
  return [local, ...local.split(/[^\p{L}]+/u), name.replace(/\s+/g, ''), ...name.split(/\s+/)];
}

/**
 * Makes the check of new passwords.
 * @returns throws Refusal `breached_password` for a password that guessers know
 * @throws Error with a sentence when something else than a range service answers at its address
 */
export async function createPasswordCheck(
  { refusedWords = [], rangeUrl }: PasswordOptions,
  log: FastifyBaseLogger,
) {
  // Nobody is kept from registering because somebody else's service is away; the list that ships is asked all the same.
  const away = (error: unknown) =>
    log.warn({ err: error }, 'The list of breached passwords could not be asked');
  if (rangeUrl !== undefined) await demandRange(rangeUrl, away);
  return async (password: string, person: { email: string; name: string }): Promise<void> => {
    if (isCommon(password, [...refusedWords, ...wordsOf(person)])) throw refused();
    if (rangeUrl === undefined) return;
    const breached = await isInBreach(password, rangeUrl).catch((error: unknown) => {
      away(error);
      return false;
    });
    if (breached) throw refused();
  };
}
