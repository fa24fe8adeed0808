import { createHash } from 'node:crypto';
import type { RecognizedClient } from '../known-clients/known-clients.ts';
import { tooManyAttempts } from '../refusals.ts';
import type { SecondFactorStore } from './store.ts';

/** Attempts are counted for each session or, before the sign-in is complete, for each client of the account. */
export type AttemptSource = Pick<RecognizedClient, 'hash'> | { readonly sessionId: string };

/**
 * Runs `work`, which throws for a wrong code or password, unless too many attempts in a row have failed.
 * @param source attempts from other sources are counted separately, so that they do not lock out the owner
 * @throws Refusal `too_many_requests`
 */
export type LimitAttempts = (
  userId: string,
  source: AttemptSource,
  work: () => Promise<void>,
) => Promise<void>;

/** Creates the limit on wrong codes and passwords. Codes and passwords share one count. */
export function createAttemptLimit(store: SecondFactorStore): LimitAttempts {
  return async (userId, source, work) => {
    const key =
      'hash' in source ? source.hash : createHash('sha256').update(`session ${source.sessionId}`).digest();
    const seconds = await store.countAttempt(userId, key);
    if (seconds !== null) throw tooManyAttempts('Too many wrong attempts.', seconds);
    await work();
    await store.resetAttempts(userId, key);
  };
}
