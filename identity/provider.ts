import { APIError } from 'better-auth/api';
import type { FastifyBaseLogger } from 'fastify';
import { createQuotaStore } from '#rate-limits/quotas.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createSignInMethods } from './accounts/sign-in-methods.ts';
import { createBetterAuth } from './better-auth.ts';
import { createBetterAuthHooks } from './better-auth-hooks.ts';
import { startCleanup } from './database/cleanup.ts';
import { createPool } from './database/pool.ts';
import { createKnownClientStore } from './known-clients/known-clients.ts';
import { createEmails } from './mail/emails.ts';
import { createEmailLinks } from './mail/links.ts';
import type { EmailKind } from './mail/templates.ts';
import { BASE_PATH, freshShop, type IdentityOptions } from './options.ts';
import { createPasswordHashing } from './passwords/hashing.ts';
import { createPasswordCheck } from './passwords/password-check.ts';
import { fromBetterAuthError, Refusal } from './refusals.ts';
import { createAttemptLimit, createSecondFactorCodes } from './second-factor/codes.ts';
import { createPasskeys } from './second-factor/passkeys.ts';
import { createSealing } from './second-factor/sealing.ts';
import { createSecondFactorStore } from './second-factor/store.ts';
import { signToken } from './secrets.ts';
import { startBackChannelLogout } from './sessions/back-channel-logout.ts';
import { toIdTokenClaims, UserSession } from './sessions/session.ts';
import { createSessionStore } from './sessions/session-store.ts';

/** The provider's services, as its routes use them. */
export type Identity = Awaited<ReturnType<typeof createIdentity>>;

/**
 * Starts the identity provider: migrates its schema, creates a signing key if there is none, and discovers Google's
 * endpoints. Two processes may start at once.
 * @throws Error when the database cannot be reached, a configured issuer does not answer, or the configured address of
 *   the breached-password service answers in another protocol
 */
export async function createIdentity(options: IdentityOptions, log: FastifyBaseLogger) {
  const pool = createPool(options.databaseUrl, log);
  const accounts = createAccountStore(pool);
  const knownClients = createKnownClientStore(pool);
  const sessions = createSessionStore(pool);
  const quotas = createQuotaStore((text, values) => pool.query(text, values));
  const signInMethods = createSignInMethods(pool);
  const passwordHashing = createPasswordHashing();
  const links = createEmailLinks(pool);
  const secondFactorStore = createSecondFactorStore(pool);
  const limitAttempts = createAttemptLimit(secondFactorStore);
  const shop = options.shop ?? (() => freshShop);
  const shopName = () => shop().name;
  const shopOrigin = options.mail?.shopOrigin ?? options.origin;
  const passkeys = createPasskeys(
    secondFactorStore,
    {
      domain: new URL(shopOrigin).hostname,
      origins: [options.origin, ...options.trustedOrigins],
      shopName,
    },
    log,
  );
  const emails =
    options.mail === undefined
      ? null
      : createEmails({ ...options.mail, shopOrigin, shop }, { accounts, links, quotas });

  /** Queues an email about an event of an account, if its address is confirmed and its quota allows it. */
  async function sendNotice(kind: EmailKind, userId: string): Promise<void> {
    await emails?.notify(kind, userId);
  }

  try {
    const checkPassword = await createPasswordCheck(options.passwords ?? {}, shopName, log);
    const created = await createBetterAuth(options, {
      pool,
      passwordHashing,
      databaseHooks: createBetterAuthHooks({
        accounts,
        sessions,
        signInMethods,
        secondFactorStore,
        async onSignIn(userId, userAgent) {
          if (await knownClients.recordDevice(userId, userAgent)) await sendNotice('new-device', userId);
        },
        onGoogleLinked: (userId) => sendNotice('google-linked', userId),
      }),
      log,
    });
    const secondFactorCodes = createSecondFactorCodes(
      secondFactorStore,
      limitAttempts,
      createSealing(created.dataKey),
      shopName,
    );
    const { handler, api } = created.auth;
    const { internalAdapter } = await created.auth.$context;
    /** Signs a JWT with these claims and the provider's issuer and audience. */
    const sign = async (payload: Record<string, unknown>) => (await api.signJWT({ body: { payload } })).token;
    const logout = startBackChannelLogout({ pool, logoutUrl: options.logoutUrl ?? null, sign, log });

    const stopCleanup = startCleanup(
      { sessions: sessions.deleteExpired, rateLimits: quotas.deleteExpired },
      log,
    );

    return {
      issuer: `${options.origin}${BASE_PATH}`,
      accounts,
      sessions,
      knownClients,
      quotas,
      signInMethods,
      links,
      secondFactorStore,
      secondFactorCodes,
      limitAttempts,
      passkeys,
      /** The name of the shop at the moment. */
      shopName,
      logout,
      passwordHashing,
      sendsMail: emails !== null,
      checkPassword,
      /**
       * Queues an email that somebody requested, if an account has the address and its quota allows it.
       * @param network hash of the requesting network; null when the account knows the client
       * @returns whether the quota allowed it
       */
      async requestEmail(kind: EmailKind, email: string, network: Buffer | null): Promise<boolean> {
        return (await emails?.request(kind, email, network)) ?? false;
      },
      sendNotice,
      /**
       * Opens a session for a user whom the provider itself has authenticated, without better-auth.
       * @param methods RFC 8176 `amr` values, separated by spaces
       * @returns its id and its bearer token
       * @throws Refusal `user_disabled`
       */
      async openSession(
        userId: string,
        methods: string,
        from: { userAgent: string; ipAddress: string },
      ): Promise<{ id: string; token: string }> {
        const session = await internalAdapter
          .createSession(userId, false, { ...from, methods }, true)
          .catch((error: unknown) => {
            throw error instanceof APIError ? fromBetterAuthError(error.statusCode, error.body?.code) : error;
          });
        return { id: session.id, token: signToken(session.token, options.secret) };
      },
      /** Changes the name or the photo of a user. */
      async updateUser(userId: string, changes: { name?: string; image?: string | null }): Promise<void> {
        await internalAdapter.updateUser(userId, changes);
      },
      /**
       * Calls one of better-auth's endpoints below {@link BASE_PATH}, but none that needs a session: those answer 401 when
       * the session cannot be looked up.
       */
      handle: handler,
      /** Finds the session of the bearer token in these headers. @throws Refusal `identity_unavailable` */
      async findSession(headers: Headers): Promise<UserSession | null> {
        const found = await api.getSession({ headers }).catch((error: unknown) => {
          if (!(error instanceof APIError)) throw error;
          // The session ended while it was being renewed.
          if (error.statusCode === 401) return null;
          // better-auth has logged the error of the database, and throws this one in its place.
          throw new Refusal('identity_unavailable');
        });
        return found === null ? null : UserSession.parse(found);
      },
      /** Issues the ID token of a session. */
      issueIdToken: (session: UserSession): Promise<string> => sign(toIdTokenClaims(session)),
      /** The public keys that verify ID tokens, as a JSON Web Key Set. */
      listKeys: () => api.getJwks(),
      async close(): Promise<void> {
        await logout.close();
        await stopCleanup();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
