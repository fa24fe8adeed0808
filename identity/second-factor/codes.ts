import { createHash, randomBytes } from 'node:crypto';
import type { RecognizedClient } from '../known-clients/known-clients.ts';
import { Refusal, tooOften } from '../refusals.ts';
import { isAppCode, makeRecoveryCodes, tidyCode } from './recovery-codes.ts';
import type { Sealing } from './sealing.ts';
import type { FactorStore } from './store.ts';
import { base32, setupUrl, stepOf } from './totp.ts';

/** 160 bits, as RFC 4226 asks for. */
const SECRET_BYTES = 20;

/** A client of a sign-in that is not complete, or a session: a session is opened by who has shown who they are. */
export type Guesser = Pick<RecognizedClient, 'hash'> | { readonly sessionId: string };

/** Authenticator apps and recovery codes: setting them up and proving them. */
export type Factors = ReturnType<typeof createFactors>;

/** @param clock milliseconds since 1970 */
export function createFactors(store: FactorStore, sealing: Sealing, clock: () => number = Date.now) {
  const wrong = () =>
    new Refusal('invalid_code', undefined, { code: 'This code is not right, or it was used before' });

  /**
   * Does `work`, which throws for a wrong guess.
   * @param by whose guesses are counted together: attempts from elsewhere lock out nobody but themselves
   * @throws Refusal `too_many_requests` after too many in a row
   */
  async function guardAttempt(userId: string, by: Guesser, work: () => Promise<void>): Promise<void> {
    const key = 'hash' in by ? by.hash : createHash('sha256').update(`session ${by.sessionId}`).digest();
    const seconds = await store.beginAttempt(userId, key);
    if (seconds !== null) throw tooOften('Too many wrong attempts.', seconds);
    await work();
    await store.forgetAttempts(userId, key);
  }

  async function isRight(userId: string, code: string, confirming: boolean): Promise<boolean> {
    if (!isAppCode(code)) {
      return !confirming && store.spendRecoveryCode(userId, sealing.hash(code, userId));
    }
    const kept = await store.secretOf(userId);
    if (kept === null || kept.confirmed === confirming) return false;
    const step = stepOf(sealing.open(kept.sealed, userId), code, clock());
    return step !== null && store.spendStep(userId, step, kept.sealed);
  }

  const demand = (userId: string, by: Guesser, typed: string, confirming: boolean) =>
    guardAttempt(userId, by, async () => {
      if (!(await isRight(userId, tidyCode(typed), confirming))) throw wrong();
    });

  async function newRecoveryCodes(userId: string): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await store.replaceRecoveryCodes(
      userId,
      codes.map((code) => sealing.hash(tidyCode(code), userId)),
    );
    return codes;
  }

  return {
    guardAttempt,

    /** Whether a user's password alone no longer signs in. */
    async isOn(userId: string): Promise<boolean> {
      const { totp, passkeys } = await store.overview(userId);
      return totp || passkeys > 0;
    },

    /** Makes a secret for an authenticator app; it counts once its first code was typed. @throws Refusal */
    async begin(
      { id: userId, email }: { id: string; email: string },
      sessionId: string,
    ): Promise<{ secret: string; url: string }> {
      const secret = randomBytes(SECRET_BYTES);
      if (!(await store.keepSecret(userId, sessionId, sealing.seal(secret, userId)))) {
        throw new Refusal('already_set_up', 'An authenticator app is set up already. Remove it first.');
      }
      return { secret: base32(secret), url: setupUrl(secret, email) };
    },

    /** Takes the first code of a new authenticator app. @throws Refusal `invalid_code`, `too_many_requests` */
    confirm: (userId: string, by: Guesser, code: string) => demand(userId, by, code, true),

    /** Takes a code of the app, or a recovery code; each counts once. @throws Refusal `invalid_code`, `too_many_requests` */
    prove: (userId: string, by: Guesser, code: string) => demand(userId, by, code, false),

    newRecoveryCodes,

    /** Recovery codes for who has none yet, with a first factor; null for others. */
    async firstRecoveryCodes(userId: string): Promise<string[] | null> {
      const { recoveryCodesLeft } = await store.overview(userId);
      return recoveryCodesLeft === 0 ? newRecoveryCodes(userId) : null;
    },

    /** Recovery codes go with the last factor that they stand in for. */
    async forgetUnneededCodes(userId: string): Promise<void> {
      const { totp, passkeys } = await store.overview(userId);
      if (!totp && passkeys === 0) await store.replaceRecoveryCodes(userId, []);
    },
  };
}
