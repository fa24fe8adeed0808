import { APIError } from 'better-auth/api';
import type { FastifyBaseLogger } from 'fastify';
import { type AccountStore, createAccountStore } from './accounts/account-store.ts';
import { createSignInMethods, type SignInMethods } from './accounts/sign-in-methods.ts';
import { BASE_PATH } from './base-path.ts';
import { createBetterAuth } from './better-auth.ts';
import { createBetterAuthHooks } from './better-auth-hooks.ts';
import { createPool } from './database/pool.ts';
import { createDeviceStore } from './known-clients/device-store.ts';
import { createKnownClientStore, type KnownClientStore } from './known-clients/known-clients.ts';
import { type EmailDelivery, startEmailDelivery } from './mail/delivery.ts';
import { createEmailOutbox, type EmailOutbox } from './mail/outbox.ts';
import type { EmailKind } from './mail/templates.ts';
import type { IdentityOptions } from './options.ts';
import { createPasswordHashing, type PasswordHashing } from './passwords/hashing.ts';
import { createPasswordCheck } from './passwords/password-check.ts';
import { createRateLimitStore, type RateLimitStore } from './rate-limits/rate-limit-store.ts';
import { fromBetterAuthError } from './refusals.ts';
import { createAttemptLimit, type LimitAttempts } from './second-factor/attempt-limit.ts';
import { createSecondFactorCodes, type SecondFactorCodes } from './second-factor/codes.ts';
import { createPasskeys, type Passkeys } from './second-factor/passkeys.ts';
import { createSealing } from './second-factor/sealing.ts';
import { createSecondFactorStore, type SecondFactorStore } from './second-factor/store.ts';
import { signToken } from './secrets.ts';
import { type BackChannelLogout, startBackChannelLogout } from './sessions/back-channel-logout.ts';
import { UserSession } from './sessions/session.ts';
import { createSessionStore, type SessionStore } from './sessions/session-store.ts';

/** The provider's services, as its routes use them. */
export interface Identity {
  readonly issuer: string;
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly knownClients: KnownClientStore;
  readonly rateLimits: RateLimitStore;
  readonly signInMethods: SignInMethods;
  readonly outbox: EmailOutbox;
  readonly secondFactorStore: SecondFactorStore;
  readonly secondFactorCodes: SecondFactorCodes;
  readonly limitAttempts: LimitAttempts;
  readonly passkeys: Passkeys;
  readonly logout: BackChannelLogout;
  readonly passwordHashing: PasswordHashing;
  readonly sendsMail: boolean;
  /** @throws Refusal `breached_password` */
  checkPassword(password: string, person: { email: string; name: string }): Promise<void>;
  /**
   * Queues an e-mail that somebody requested, if an account has the address and its quota allows it.
   * @param network hash of the requesting network; null when the account knows the client
   * @returns whether it was queued
   */
  requestEmail(kind: EmailKind, email: string, network: Buffer | null): Promise<boolean>;
  /** Queues an e-mail about an event of an account. */
  sendNotice(kind: EmailKind, userId: string): Promise<void>;
  /**
   * Opens a session for a user whom the provider itself has authenticated, without better-auth.
   * @param methods RFC 8176 `amr` values, separated by spaces
   * @returns the bearer token
   * @throws Refusal `user_disabled`
   */
  openSession(
    userId: string,
    methods: string,
    from: { userAgent: string; ipAddress: string },
  ): Promise<string>;
  /** Ends the session of a bearer token. */
  endSession(sessionToken: string): Promise<void>;
  /** Ends every session of a user except the one of this bearer token. */
  endOtherSessions(userId: string, sessionToken: string): Promise<void>;
  /** Calls one of better-auth's endpoints below {@link BASE_PATH}. */
  handle(request: Request): Promise<Response>;
  /** Finds the session of the bearer token in these headers. */
  findSession(headers: Headers): Promise<UserSession | null>;
  close(): Promise<void>;
}

/**
 * Starts the identity provider: migrates its schema, creates a signing key if there is none, and discovers Google's
 * endpoints. Two processes may start at once.
 * @throws Error when the database cannot be reached, a configured issuer does not answer, or the configured address of
 *   the breached-password service answers in another protocol
 */
export async function createIdentity(options: IdentityOptions, log: FastifyBaseLogger): Promise<Identity> {
  const pool = createPool(options.databaseUrl, log);
  const accounts = createAccountStore(pool);
  const knownClients = createKnownClientStore(pool);
  const devices = createDeviceStore(pool);
  const sessions = createSessionStore(pool);
  const signInMethods = createSignInMethods(pool);
  const passwordHashing = createPasswordHashing();
  const outbox = createEmailOutbox(pool);
  const secondFactorStore = createSecondFactorStore(pool);
  let dataKey: Buffer | null = null;
  const limitAttempts = createAttemptLimit(secondFactorStore);
  const secondFactorCodes = createSecondFactorCodes(
    secondFactorStore,
    limitAttempts,
    createSealing(() => {
      if (dataKey === null) throw new Error('The identity provider has not started.');
      return dataKey;
    }),
  );
  const shopOrigin = options.mail?.shopOrigin ?? options.origin;
  const passkeys = createPasskeys(
    secondFactorStore,
    { domain: new URL(shopOrigin).hostname, origins: [options.origin, ...options.trustedOrigins] },
    log,
  );
  let delivery: EmailDelivery | null = null;

  async function sendNotice(kind: EmailKind, userId: string): Promise<void> {
    if (options.mail === undefined) return;
    await outbox.addNotice(kind, userId);
    delivery?.trigger();
  }

  try {
    const checkPassword = await createPasswordCheck(options.passwords ?? {}, log);
    const created = await createBetterAuth(options, {
      pool,
      passwordHashing,
      databaseHooks: createBetterAuthHooks({
        accounts,
        sessions,
        signInMethods,
        secondFactorStore,
        async onSignIn(userId, userAgent) {
          if (await devices.recordDevice(userId, userAgent)) await sendNotice('new-device', userId);
        },
      }),
      log,
    });
    dataKey = created.dataKey;
    const { handler, api } = created.auth;
    const { internalAdapter } = await created.auth.$context;
    if (options.mail !== undefined)
      delivery = startEmailDelivery(outbox, { ...options.mail, shopOrigin }, log);
    const logout = startBackChannelLogout({
      pool,
      logoutUrl: options.logoutUrl ?? null,
      sign: async (payload) => (await api.signJWT({ body: { payload } })).token,
      log,
    });

    return {
      issuer: `${options.origin}${BASE_PATH}`,
      accounts,
      sessions,
      knownClients,
      rateLimits: createRateLimitStore(pool),
      signInMethods,
      outbox,
      secondFactorStore,
      secondFactorCodes,
      limitAttempts,
      passkeys,
      logout,
      passwordHashing,
      sendsMail: delivery !== null,
      checkPassword,
      async requestEmail(kind, email, network) {
        if (delivery === null) return false;
        const queued = await outbox.request(kind, email, network);
        delivery.trigger();
        return queued;
      },
      sendNotice,
      async openSession(userId, methods, from) {
        const session = await internalAdapter
          .createSession(userId, false, { ...from, methods }, true)
          .catch((error: unknown) => {
            throw error instanceof APIError ? fromBetterAuthError(error.statusCode, error.body?.code) : error;
          });
        return signToken(session.token, options.secret);
      },
      async endSession(sessionToken) {
        const found = await api.getSession({
          headers: new Headers({ authorization: `Bearer ${sessionToken}` }),
        });
        if (found !== null) await sessions.end(found.user.id, found.session.id);
      },
      async endOtherSessions(userId, sessionToken) {
        const kept = await api.getSession({
          headers: new Headers({ authorization: `Bearer ${sessionToken}` }),
        });
        await sessions.endOthers(userId, kept?.session.id ?? '');
      },
      handle: handler,
      async findSession(headers) {
        const found = await api.getSession({ headers });
        return found === null ? null : UserSession.parse(found);
      },
      async close() {
        await delivery?.close();
        await logout.close();
        await pool.end();
      },
    };
  } catch (error) {
    await delivery?.close();
    await pool.end();
    throw error;
  }
}
