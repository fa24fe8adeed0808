import { readFile } from 'node:fs/promises';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { bearer, jwt, oauthPopup } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import { ID_TOKEN_AUDIENCE } from '#contract/people/accounts.ts';
import { newPassword } from '#contract/people/password.ts';
import { withMigrationPool } from './database/pool.ts';
import { createGooglePlugin } from './google/openid-provider.ts';
import { BASE_PATH, type IdentityOptions } from './options.ts';
import type { PasswordHashing } from './passwords/hashing.ts';
import { openDataKey, retireKeysOfOtherSecrets, secretVersion } from './secrets.ts';

/** In seconds. */
const DAY = 24 * 60 * 60;

/** A session ends after this long without a visit. */
const SESSION_DAYS = 30;

/** Codes of errors that a request causes: an old or invented callback of Google, the second of two sign-ups at once. */
const codesAboutRequests: readonly string[] = ['state_mismatch', 'state_security_mismatch', '23505'];

/** Whether an error that better-auth logs is about a request and not a failure of the provider. */
const isAboutRequest = (message: string, details: readonly unknown[]): boolean =>
  message === 'State not found' ||
  details.some(
    (detail) =>
      detail instanceof Error && 'code' in detail && codesAboutRequests.includes(String(detail.code)),
  );

/**
 * Migrates the schema and creates better-auth on it. Two processes may start at once.
 * @param parts.pool connections whose search_path is the schema `identity`
 * @returns better-auth and the key that encrypts the keys of authenticator apps
 * @throws Error when the database cannot be reached or a configured issuer does not answer
 */
export async function createBetterAuth(
  options: IdentityOptions,
  parts: {
    pool: Pool;
    passwordHashing: PasswordHashing;
    databaseHooks: NonNullable<BetterAuthOptions['databaseHooks']>;
    log: FastifyBaseLogger;
  },
) {
  const { pool, passwordHashing, databaseHooks, log } = parts;
  const issuer = `${options.origin}${BASE_PATH}`;
  const previousSecret = options.previousSecret ?? null;
  const google = options.google === undefined ? [] : [await createGooglePlugin(options.google, log)];
  const settings = {
    baseURL: options.origin,
    basePath: BASE_PATH,
    secrets: [options.secret, ...(previousSecret === null ? [] : [previousSecret])].map((value) => ({
      version: secretVersion(value),
      value,
    })),
    // Decrypts values without a version, from before secrets had one.
    secret: previousSecret ?? options.secret,
    trustedOrigins: [...options.trustedOrigins],
    database: pool,
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message, ...details) =>
        log[isAboutRequest(message, details) ? 'info' : level]({ details }, message),
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 6,
      maxPasswordLength: newPassword.maximum.value,
      password: { hash: passwordHashing.hash, verify: passwordHashing.verify },
    },
    user: {
      additionalFields: {
        disabledAt: { type: 'date', required: false, input: false },
        /** When the owner of the address removed the sign-in methods of whoever had registered it. */
        reclaimedAt: { type: 'date', required: false, input: false },
      },
    },
    session: {
      expiresIn: SESSION_DAYS * DAY,
      updateAge: DAY,
      additionalFields: {
        methods: { type: 'string', required: false, input: false },
        due: { type: 'boolean', required: false, input: false },
      },
    },
    account: {
      // Google's tokens are not needed after sign-in. They are not stored, so that a stolen database holds none.
      updateAccountOnSignIn: false,
      accountLinking: {
        enabled: true,
        trustedProviders: [],
        // Safe because `account.create.before` first removes every unverified sign-in method.
        requireLocalEmailVerified: false,
        // The existing name may come from somebody who registered the address without owning it.
        updateUserInfoOnLink: true,
      },
    },
    // `rate-limits/` counts in the database instead, for all processes together.
    rateLimit: { enabled: false },
    advanced: { cookiePrefix: 'identity', defaultCookieAttributes: { path: BASE_PATH } },
    onAPIError: { throw: true, errorURL: `${issuer}/error` },
    databaseHooks,
    plugins: [
      jwt({
        jwks: {
          keyPairConfig: { alg: 'ES256' },
          rotationInterval: 90 * DAY,
          // A retired key stays published for longer than the last token that it signed is valid.
          gracePeriod: 2 * DAY,
        },
        jwt: {
          issuer,
          audience: ID_TOKEN_AUDIENCE,
          expirationTime: '1h',
        },
        disableSettingJwtHeader: true,
      }),
      bearer({ requireSignature: true }),
      oauthPopup(),
      ...google,
    ],
  } satisfies BetterAuthOptions;

  let auth: ReturnType<typeof betterAuth<typeof settings>> | undefined;
  let dataKey: Buffer | undefined;
  await withMigrationPool(options.databaseUrl, log, async (database) => {
    if (options.migrate !== false) {
      await database.query('create schema if not exists identity');
      const { runMigrations } = await getMigrations({ ...settings, database });
      await runMigrations();
      await database.query(await readFile(new URL('database/tables.sql', import.meta.url), 'utf8'));
    }
    dataKey = await openDataKey(pool, options.secret, previousSecret);
    if (previousSecret !== null) await retireKeysOfOtherSecrets(pool, options.secret);
    auth = betterAuth(settings);
    // getJwks creates the first signing key. Under the lock, so that two processes do not create two.
    await auth.api.getJwks();
  });
  if (auth === undefined || dataKey === undefined) throw new Error('The identity provider did not start.');
  return { auth, dataKey };
}
