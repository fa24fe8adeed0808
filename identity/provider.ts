import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { getMigrations } from 'better-auth/db/migration';
import { bearer, genericOAuth, jwt, oauthPopup } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import * as z from 'zod/mini';
import { findGoogle, type GoogleOptions, idTokenVerifier } from './google.ts';
import { MAXIMUM_PASSWORD, tidyName } from './input.ts';
import { refusals } from './refusals.ts';
import { createStore, type Store } from './store.ts';

/** The path below the origin at which everything of the provider stands. */
export const BASE_PATH = '/identity';

/** Whom the ID tokens are for. */
export const AUDIENCE = 'coomercio';

const DAY = 24 * 60 * 60;

export interface IdentityOptions {
  /** PostgreSQL; the provider makes and keeps its own schema `identity` there. */
  readonly databaseUrl: string;
  /** Public origin, such as `https://shop.example`; the issuer is this and `/identity`. */
  readonly origin: string;
  /** Origins of pages that may sign people in, beside `origin` itself. */
  readonly trustedOrigins: readonly string[];
  /** Signs session tokens and encrypts the private keys in the database: it must outlive restarts. */
  readonly secret: string;
  /** What the shop's server shows to disable accounts. */
  readonly serviceSecret: string;
  readonly google?: GoogleOptions;
  /** Whether sign-ins and sign-ups are limited per address, in this process' memory. Default false. */
  readonly rateLimit?: boolean;
}

/** A session and its user as better-auth reads them. */
const SessionOfUser = z.object({
  session: z.object({ id: z.string(), createdAt: z.date() }),
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: z.nullish(z.string()),
    createdAt: z.date(),
    disabledAt: z.nullish(z.date()),
  }),
});
export type SessionOfUser = z.infer<typeof SessionOfUser>;

export interface Identity {
  readonly issuer: string;
  readonly store: Store;
  /** Answers a request to one of better-auth's own endpoints below {@link BASE_PATH}. */
  handle(request: Request): Promise<Response>;
  /** The session that a bearer token in these headers names, or null. */
  sessionOf(headers: Headers): Promise<SessionOfUser | null>;
  close(): Promise<void>;
}

function claimsOf({ user, session }: SessionOfUser) {
  return {
    email: user.email,
    email_verified: user.emailVerified,
    ...(user.name === '' ? {} : { name: user.name }),
    ...(user.image ? { picture: user.image } : {}),
    auth_time: Math.floor(session.createdAt.getTime() / 1000),
    sid: session.id,
  };
}

async function googlePlugin(google: GoogleOptions, log: FastifyBaseLogger) {
  const metadata = await findGoogle(google);
  const verify = idTokenVerifier(metadata, google.clientId);
  return genericOAuth({
    config: [
      {
        providerId: 'google',
        name: 'Google',
        clientId: google.clientId,
        clientSecret: google.clientSecret,
        authorizationUrl: metadata.authorization_endpoint,
        tokenUrl: metadata.token_endpoint,
        scopes: ['openid', 'email', 'profile'],
        prompt: 'select_account',
        pkce: true,
        accountSubject: ({ profile }) => profile.sub ?? '',
        async getUserInfo({ idToken }) {
          if (idToken === undefined) return null;
          const claims = await verify(idToken).catch((error: unknown) => {
            log.error({ err: error }, 'An ID token of Google did not pass');
            return null;
          });
          if (claims === null) return null;
          return {
            sub: claims.sub,
            email: claims.email,
            emailVerified: claims.email_verified ?? false,
            name: tidyName(claims.name ?? claims.email),
            image: claims.picture ?? undefined,
          };
        },
      },
    ],
  });
}

/**
 * Starts the identity provider: brings its schema up to date (two processes may start at once), makes a
 * signing key if there is none, finds Google if configured.
 * @throws Error when the database cannot be reached or the configured issuer does not answer
 */
export async function createIdentity(options: IdentityOptions, log: FastifyBaseLogger): Promise<Identity> {
  const issuer = `${options.origin}${BASE_PATH}`;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    options: '-c search_path=identity',
    max: 8,
    connectionTimeoutMillis: 5_000,
  });
  const noteBreak = (error: Error) =>
    log.warn({ err: error }, 'A database connection of the identity provider broke');
  pool.on('error', noteBreak);
  // The pool listens only while a connection is idle; one that breaks between two statements of a transaction
  // would otherwise end the whole process.
  pool.on('connect', (client) => client.on('error', noteBreak));
  const store = createStore(pool);

  try {
    const google = options.google === undefined ? [] : [await googlePlugin(options.google, log)];
    const settings = {
      appName: 'Coomercio',
      baseURL: options.origin,
      basePath: BASE_PATH,
      secret: options.secret,
      trustedOrigins: [...options.trustedOrigins],
      database: pool,
      telemetry: { enabled: false },
      logger: {
        level: 'warn',
        log: (level, message, ...details) => log[level]({ details }, message),
      },
      emailAndPassword: { enabled: true, minPasswordLength: 6, maxPasswordLength: MAXIMUM_PASSWORD },
      user: { additionalFields: { disabledAt: { type: 'date', required: false, input: false } } },
      session: { expiresIn: 30 * DAY, updateAge: DAY },
      account: {
        // Google's tokens are of no use once the person is known, so a stolen database holds none.
        updateAccountOnSignIn: false,
        accountLinking: {
          enabled: true,
          trustedProviders: [],
          // Safe because `account.create.before` takes everything unproven away first.
          requireLocalEmailVerified: false,
          // The name may have been typed by whoever registered the address without owning it.
          updateUserInfoOnLink: true,
        },
      },
      rateLimit: { enabled: options.rateLimit ?? false, storage: 'memory' },
      advanced: { cookiePrefix: 'identity', defaultCookieAttributes: { path: BASE_PATH } },
      onAPIError: { throw: true, errorURL: `${issuer}/error` },
      databaseHooks: {
        account: {
          create: {
            async before(account) {
              if (account.providerId !== 'google') return;
              await store.revokeUnproven(account.userId);
              return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
            },
          },
        },
        session: {
          create: {
            async after(session, context) {
              const standing = await store.standing(session.userId);
              const withPassword = context?.path === '/sign-in/email';
              if (standing !== null && !standing.disabled && (standing.hasPassword || !withPassword)) return;
              await store.endSession(session.userId, session.id);
              const code = standing?.disabled ? 'user_disabled' : 'session_ended';
              throw new APIError('FORBIDDEN', { code, message: refusals[code].detail });
            },
          },
        },
      },
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
            audience: AUDIENCE,
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
    await store.migrating(async () => {
      const { runMigrations } = await getMigrations(settings);
      await runMigrations();
      auth = betterAuth(settings);
      // Asking for the keys makes the first one; under the lock, so that two processes do not make two.
      await auth.api.getJwks();
    });
    if (auth === undefined) throw new Error('The identity provider did not start.');
    const { handler, api } = auth;

    return {
      issuer,
      store,
      handle: handler,
      async sessionOf(headers) {
        const found = await api.getSession({ headers });
        return found === null ? null : SessionOfUser.parse(found);
      },
      close: () => pool.end(),
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
