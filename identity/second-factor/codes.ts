import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { RecognizedClient } from '../known-clients/known-clients.ts';
import { Refusal, tooManyAttempts } from '../refusals.ts';
import type { Sealing } from './sealing.ts';
import type { SecondFactorStore, StoreFactor } from './store.ts';
import { encodeBase32, findMatchingStep, setupUrl } from './totp.ts';

/** Attempts are counted for each session or, before the sign-in is complete, for each client of the account. */
type AttemptSource = Pick<RecognizedClient, 'hash'> | { readonly sessionId: string };

/**
 * Runs `work`, which throws for a wrong code or password, unless too many attempts in a row have failed.
 * @param source attempts from other sources are counted separately, so that they do not lock out the owner
 * @throws Refusal `too_many_requests`
 */
type LimitAttempts = <Result>(
  userId: string,
  source: AttemptSource,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Creates the limit on wrong codes and passwords. Codes and passwords share one count. */
export function createAttemptLimit(store: SecondFactorStore): LimitAttempts {
  return async (userId, source, work) => {
    const key =
      'hash' in source ? source.hash : createHash('sha256').update(`session ${source.sessionId}`).digest();
    const seconds = await store.countAttempt(userId, key);
    if (seconds !== null) throw tooManyAttempts('Too many wrong attempts.', seconds);
    const result = await work();
    await store.resetAttempts(userId, key);
    return result;
  };
}

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** Number of codes in a set. */
const RECOVERY_CODES = 10;

/** Without characters that are easily confused on paper: i, l, o, 0, 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const LENGTH = 12;

/** Generates a set of recovery codes such as `abcd-efgh-jkmn`, with 59 bits of entropy each. */
function generateRecoveryCodes(): string[] {
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

/**
 * Creates the setup and verification of authenticator apps and recovery codes.
 * @param shopName the name of the shop at the moment
 */
export function createSecondFactorCodes(
  store: SecondFactorStore,
  limitAttempts: LimitAttempts,
  sealing: Sealing,
  shopName: () => string,
) {
  const invalidCode = () =>
    new Refusal('invalid_code', undefined, { code: 'This code is not right, or it was used before' });

  /** Finds the time step of an app's code. @param isSetup whether the app must be one that is not active yet, or be active */
  async function findStep(userId: string, code: string, isSetup: boolean) {
    const stored = await store.findTotpSecret(userId);
    if (stored === null || stored.confirmed === isSetup) return null;
    const { sealed } = stored;
    const step = findMatchingStep(sealing.open(sealed, userId), code, Date.now());
    return step === null ? null : { step, sealed };
  }

  async function consumeCode(userId: string, code: string): Promise<boolean> {
    if (!isTotpCode(code)) return store.consumeRecoveryCode(userId, sealing.hash(code, userId));
    const found = await findStep(userId, code, false);
    return found !== null && store.consumeStep(userId, found.step, found.sealed);
  }

  function createRecoveryCodes(userId: string): { codes: string[]; hashes: Buffer[] } {
    const codes = generateRecoveryCodes();
    return { codes, hashes: codes.map((code) => sealing.hash(normalizeCode(code), userId)) };
  }

  return {
    /** Creates the secret of an authenticator app, which its first code activates. @throws Refusal `already_set_up` */
    async beginTotpSetup(
      { id: userId, email }: { id: string; email: string },
      sessionId: string,
    ): Promise<{ secret: string; url: string }> {
      const secret = randomBytes(SECRET_BYTES);
      if (!(await store.insertTotpSecret(userId, sessionId, sealing.seal(secret, userId)))) {
        throw new Refusal('already_set_up', 'An authenticator app is set up already. Remove it first.');
      }
      return { secret: encodeBase32(secret), url: setupUrl(secret, email, shopName()) };
    },

    /**
     * Verifies the first code of a new authenticator app.
     * @returns what activates the app
     * @throws Refusal `invalid_code`, also when it is activated; `too_many_requests`
     */
    confirmTotp: (userId: string, source: AttemptSource, typed: string): Promise<StoreFactor> =>
      limitAttempts(userId, source, async () => {
        const found = await findStep(userId, normalizeCode(typed), true);
        if (found === null) throw invalidCode();
        return async (client) => {
          if (!(await store.consumeStep(userId, found.step, found.sealed, client))) throw invalidCode();
        };
      }),

    /** Verifies a single-use code of the app or a recovery code. @throws Refusal `invalid_code`, `too_many_requests` */
    verifyCode: (userId: string, source: AttemptSource, typed: string) =>
      limitAttempts(userId, source, async () => {
        if (!(await consumeCode(userId, normalizeCode(typed)))) throw invalidCode();
      }),

    async renewRecoveryCodes(userId: string): Promise<string[]> {
      const { codes, hashes } = createRecoveryCodes(userId);
      await store.replaceRecoveryCodes(userId, hashes);
      return codes;
    },

    /**
     * Adds a second factor and ends every session but the new one, see the store.
     * @returns new recovery codes; null when the account has some already
     */
    async addFactor(
      userId: string,
      sessions: { replaced: string; kept: string },
      storeFactor: StoreFactor,
    ): Promise<string[] | null> {
      const { codes, hashes } = createRecoveryCodes(userId);
      return (await store.addFactor(userId, sessions, storeFactor, hashes)) ? codes : null;
    },
  };
}
