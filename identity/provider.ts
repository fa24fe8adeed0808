import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { getMigrations } from 'better-auth/db/migration';
import { bearer, jwt, oauthPopup } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import { ID_TOKEN_AUDIENCE } from '#contract/accounts.ts';
import { newPassword } from '#contract/password.ts';
import { createStore, type Store } from './accounts/account-store.ts';
import { createSignInMethods, type SignInMethods } from './accounts/sign-in-methods.ts';
import { databaseHooks } from './better-auth-hooks.ts';
import { connect, unhurried } from './database/pool.ts';
import { migrating, ownTables } from './database/schema.ts';
import { googlePlugin } from './google/better-auth-plugin.ts';
import { type ClientStore, createClientStore } from './known-clients/known-clients.ts';
import { type Post, startPost } from './mail/delivery.ts';
import { createLetterStore, type LetterStore } from './mail/store.ts';
import type { LetterKind } from './mail/templates.ts';
import type { IdentityOptions } from './options.ts';
import { createPasswordHashing, type PasswordHashing } from './passwords/hashing.ts';
import { createPasswordCheck } from './passwords/password-check.ts';
import { refusalOf } from './refusals.ts';
import { createFactors, type Factors } from './second-factor/codes.ts';
import { createPasskeys, type Passkeys } from './second-factor/passkeys.ts';
import { createSealing } from './second-factor/sealing.ts';
import { createFactorStore, type FactorStore } from './second-factor/store.ts';
import { openDataKey, retireForeignKeys, signToken, versionOf } from './secrets.ts';
import { type BackChannelLogout, startBackChannelLogout } from './sessions/back-channel-logout.ts';
import { claimsOf, SessionOfUser } from './sessions/session.ts';

/** The path below the origin at which everything of the provider stands. */
export const BASE_PATH = '/identity';

const DAY = 24 * 60 * 60;

export interface Identity {
  readonly issuer: string;
  readonly store: Store;
  readonly clients: ClientStore;
  readonly methods: SignInMethods;
  readonly letters: LetterStore;
  readonly factorStore: FactorStore;
  readonly factors: Factors;
  readonly passkeys: Passkeys;
  readonly logout: BackChannelLogout;
  readonly passwordHashing: PasswordHashing;
  readonly sendsMail: boolean;
  /** @throws Refusal `breached_password` */
  checkPassword(password: string, person: { email: string; name: string }): Promise<void>;
  /**
   * Orders a letter to an address, if it is of an account that may have one now.
   * @param network hash of the network that asks; null when the account knows the client
   * @returns whether it may
   */
  order(kind: LetterKind, email: string, network: Buffer | null): Promise<boolean>;
  /** Writes to a person about what has happened. */
  note(kind: LetterKind, userId: string): Promise<void>;
  /**
   * Opens a session for who has shown otherwise than to better-auth who they are.
   * @param methods how, in the words of RFC 8176, with spaces between
   * @returns its token
   * @throws Refusal `user_disabled`
   */
  openSession(
    userId: string,
    methods: string,
    from: { userAgent: string; ipAddress: string },
  ): Promise<string>;
  /** Ends the session of this token. */
  endSession(sessionToken: string): Promise<void>;
  /** Ends a user's sessions but the one of this token. */
  endOtherSessions(userId: string, sessionToken: string): Promise<void>;
  /** Answers a request to one of better-auth's own endpoints below {@link BASE_PATH}. */
  handle(request: Request): Promise<Response>;
  /** The session that a bearer token in these headers names, or null. */
  sessionOf(headers: Headers): Promise<SessionOfUser | null>;
  close(): Promise<void>;
}

/**
 * Starts the identity provider: brings its schema up to date (two processes may start at once), makes a
 * signing key if there is none, finds Google if configured.
 * @throws Error when the database cannot be reached, the configured issuer does not answer, or something else than a
 *   list of breached passwords answers in its place
 */
export async function createIdentity(options: IdentityOptions, log: FastifyBaseLogger): Promise<Identity> {
  const issuer = `${options.origin}${BASE_PATH}`;
  const pool = connect(options.databaseUrl, log);
  const store = createStore(pool);
  const clients = createClientStore(pool);
  const methods = createSignInMethods(pool);
  const passwordHashing = createPasswordHashing();
  const letters = createLetterStore(pool);
  const factorStore = createFactorStore(pool);
  const previousSecret = options.previousSecret ?? null;
  let dataKey: Buffer | null = null;
  const factors = createFactors(
    factorStore,
    createSealing(() => {
      if (dataKey === null) throw new Error('The identity provider has not started.');
      return dataKey;
    }),
  );
  const shopOrigin = options.mail?.shopOrigin ?? options.origin;
  const passkeys = createPasskeys(
    factorStore,
    { domain: new URL(shopOrigin).hostname, origins: [options.origin, ...options.trustedOrigins] },
    log,
  );
  let post: Post | null = null;

  /** Tells a person of a sign-in from a device that they have not used before. */
  async function noteSignIn(userId: string, userAgent: string): Promise<void> {
    if (!(await store.noteDevice(userId, userAgent)) || options.mail === undefined) return;
    await letters.note('new-device', userId);
    post?.hurry();
  }

  try {
    const checkPassword = await createPasswordCheck(options.passwords ?? {}, log);
    const google = options.google === undefined ? [] : [await googlePlugin(options.google, log)];
    const settings = {
      appName: 'Coomercio',
      baseURL: options.origin,
      basePath: BASE_PATH,
      secrets: [options.secret, ...(previousSecret === null ? [] : [previousSecret])].map((value) => ({
        version: versionOf(value),
        value,
      })),
      // What was sealed before secrets were numbered.
      secret: previousSecret ?? options.secret,
      trustedOrigins: [...options.trustedOrigins],
      database: pool,
      telemetry: { enabled: false },
      logger: {
        level: 'warn',
        log: (level, message, ...details) => log[level]({ details }, message),
      },
      emailAndPassword: {
        enabled: true,
        minPasswordLength: 6,
        maxPasswordLength: newPassword.maximum.value,
        password: { hash: passwordHashing.hash, verify: passwordHashing.verify },
      },
      user: { additionalFields: { disabledAt: { type: 'date', required: false, input: false } } },
      session: {
        expiresIn: 30 * DAY,
        updateAge: DAY,
        additionalFields: {
          methods: { type: 'string', required: false, input: false },
          due: { type: 'boolean', required: false, input: false },
        },
      },
      account: {
        // Google's tokens are of no use once the person is known, so a stolen database holds none.
        updateAccountOnSignIn: false,
        accountLinking: {
          enabled: true,
          trustedProviders: [],
          // Safe because `account.create.before` removes everything unproven first.
          requireLocalEmailVerified: false,
          // The name may have been typed by whoever registered the address without owning it.
          updateUserInfoOnLink: true,
        },
      },
      // `limits.ts` counts, for all processes together.
      rateLimit: { enabled: false },
      advanced: { cookiePrefix: 'identity', defaultCookieAttributes: { path: BASE_PATH } },
      onAPIError: { throw: true, errorURL: `${issuer}/error` },
      databaseHooks: databaseHooks({ store, methods, factors, onSignIn: noteSignIn }),
      plugins: [
        jwt({
          jwks: {
            keyPairConfig: { alg: 'ES256' },
            // The retired key stays published well beyond the last token it signed.
            rotationInterval: 90 * DAY,
            gracePeriod: 2 * DAY,
          },
          jwt: {
            issuer,
            audience: ID_TOKEN_AUDIENCE,
            expirationTime: '1h',
            definePayload: (session) => claimsOf(SessionOfUser.parse(session)),
          },
          disableSettingJwtHeader: true,
        }),
        bearer({ requireSignature: true }),
        oauthPopup(),
        ...google,
      ],
    } satisfies BetterAuthOptions;

    let auth: ReturnType<typeof betterAuth<typeof settings>> | undefined;
    await unhurried(options.databaseUrl, log, (database) =>
      migrating(database, async () => {
        const { runMigrations } = await getMigrations({ ...settings, database });
        await runMigrations();
        await database.query(ownTables);
        dataKey = await openDataKey(pool, options.secret, previousSecret);
        if (previousSecret !== null) await retireForeignKeys(pool, options.secret);
        auth = betterAuth(settings);
        // Asking for the keys makes the first one; under the lock, so that two processes do not make two.
        await auth.api.getJwks();
      }),
    );
    if (auth === undefined) throw new Error('The identity provider did not start.');
    const { handler, api } = auth;
    const { internalAdapter } = await auth.$context;
    if (options.mail !== undefined) post = startPost(letters, { ...options.mail, shopOrigin }, log);
    const mailing = post;
    const logout = startBackChannelLogout({
      pool,
      logoutUrl: options.logoutUrl ?? null,
      sign: async (payload) => (await api.signJWT({ body: { payload } })).token,
      log,
    });

    return {
      issuer,
      store,
      clients,
      methods,
      letters,
      factorStore,
      factors,
      passkeys,
      logout,
      passwordHashing,
      sendsMail: mailing !== null,
      checkPassword,
      async order(kind, email, network) {
        if (mailing === null) return false;
        const ordered = await letters.order(kind, email, network);
        mailing.hurry();
        return ordered;
      },
      async note(kind, userId) {
        if (mailing === null) return;
        await letters.note(kind, userId);
        mailing.hurry();
      },
      async openSession(userId, methods, from) {
        const session = await internalAdapter
          .createSession(userId, false, { ...from, methods }, true)
          .catch((error: unknown) => {
            throw error instanceof APIError ? refusalOf(error.statusCode, error.body?.code) : error;
          });
        return signToken(session.token, options.secret);
      },
      async endSession(sessionToken) {
        const found = await api.getSession({
          headers: new Headers({ authorization: `Bearer ${sessionToken}` }),
        });
        if (found !== null) await store.endSession(found.user.id, found.session.id);
      },
      async endOtherSessions(userId, sessionToken) {
        const kept = await api.getSession({
          headers: new Headers({ authorization: `Bearer ${sessionToken}` }),
        });
        await store.endOtherSessions(userId, kept?.session.id ?? '');
      },
      handle: handler,
      async sessionOf(headers) {
        const found = await api.getSession({ headers });
        return found === null ? null : SessionOfUser.parse(found);
      },
      async close() {
        await mailing?.close();
        await logout.close();
        await pool.end();
      },
    };
  } catch (error) {
    await post?.close();
    await pool.end();
    throw error;
  }
}
