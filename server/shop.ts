import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { ID_TOKEN_AUDIENCE } from '#contract/accounts.ts';
import { LOGOUT_PATH } from './accounts/back-channel-logout.ts';
import { createIdentityVerifier } from './accounts/identity-verifier.ts';
import { createTokens } from './accounts/tokens.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { connect } from './database/connect.ts';
import { createLimiter, unlimited } from './http/limits.ts';
import { createQueue } from './jobs/queue.ts';
import type { RunningWork } from './jobs/work.ts';
import { createMetrics } from './operations/metrics.ts';
import { createReadiness, type Readiness } from './operations/readiness.ts';
import { openPhotoStorage } from './photo-storage.ts';
import type { ImageHostOptions } from './photos/plugin.ts';
import { isPhotoOfHost, ownPhotoPath } from './photos/rules.ts';
import { contentSecurityOf, type Providers, settingsOf } from './providers.ts';
import type { Secrets } from './secrets.ts';
import { createMailer } from './vendors/mail.ts';
import { createCardProcessor } from './vendors/stripe.ts';

const RECONCILE_INTERVAL_MS = 15_000;

/** What a shop is made from once its database and its providers are there. */
export interface ShopOptions {
  config: Config;
  secrets: Secrets;
  providers: Providers;
  connectionString: string;
  logger: FastifyBaseLogger;
  /** Whether pages are served, and how; null where only the calls are wanted. */
  pages: 'production' | 'development' | null;
}

/** How this process reaches itself. */
export function internalOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

async function photoHost(config: Config, secrets: Secrets): Promise<ImageHostOptions | null> {
  const storage = await openPhotoStorage(config);
  if (storage === null) return null;
  const spoolFolder = join(config.dataFolder, 'uploads');
  return { origin: config.origin, key: secrets.photoKey, storage, spoolFolder };
}

/** What the shop asks of the identity provider about somebody's sign-in. */
type IdentityAdminAction = 'disable' | 'erase' | 'reset-second-factor';

/**
 * Asks the built-in identity provider, over HTTP like any other, to do something about a sign-in.
 * @param madeBefore erases only a sign-in that was there before this moment (ISO 8601)
 * @returns whether there is one with this address
 * @throws when it does not answer, or not as it should
 */
export async function callIdentityAdmin(
  config: Pick<Config, 'host' | 'port'>,
  { identityService }: Pick<Secrets, 'identityService'>,
  what: IdentityAdminAction,
  email: string,
  madeBefore?: string,
): Promise<boolean> {
  const response = await fetch(`${internalOrigin(config)}/identity/admin/${what}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${identityService}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, madeBefore }),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.ok) return true;
  if (response.status === 404) return false;
  throw new Error(`The identity provider answered ${response.status} to ${what}.`);
}

/** Tells the identity provider what has become of an account. */
function tellIdentity(config: Config, secrets: Secrets, what: IdentityAdminAction) {
  return async (email: string, madeBefore?: string): Promise<void> => {
    // Another provider has its own administration; the shop refuses the ended account's tokens either way.
    if (config.identity.kind === 'own') await callIdentityAdmin(config, secrets, what, email, madeBefore);
  };
}

/** A shop with everything that it is made of. */
interface OpenShop {
  app: FastifyInstance;
  readiness: Readiness;
  /** Begins to work off jobs and to look after silent payments. */
  startWork(): Promise<void>;
  /** Answers the requests under way, ends the work beside them, and then closes what both have used. */
  close(): Promise<void>;
}

/** Makes every part from the configuration and puts the shop together. */
export async function openShop(ground: ShopOptions): Promise<OpenShop> {
  const { config, secrets, providers, connectionString, logger } = ground;
  const { identity, origin } = config;
  const connection = connect(connectionString, (error) =>
    logger.warn({ err: error }, 'a database connection broke'),
  );
  const metrics = createMetrics(connection.pool, (error, figure) =>
    logger.error({ err: error, figure }, 'a figure cannot be read'),
  );
  const readiness = createReadiness(connection.database);
  const mailer = createMailer({ url: providers.smtpUrl, from: config.mailFrom });
  const shop = await buildApp({
    origin,
    database: connection.database,
    connectionString,
    queue: createQueue(connectionString, (error, name) => {
      if (name !== undefined) metrics.jobFailed(name);
      logger.warn({ err: error, job: name }, 'a job failed');
    }),
    tokens: createTokens(secrets.tokens, secrets.previous?.tokens),
    identityProvider: createIdentityVerifier(
      identity.kind === 'own'
        ? {
            issuer: `${origin}/identity`,
            audience: ID_TOKEN_AUDIENCE,
            keysUrl: new URL(`${internalOrigin(config)}/identity/jwks`),
          }
        : identity,
    ),
    adminSecondFactor: config.adminSecondFactor,
    signIns: {
      disable: tellIdentity(config, secrets, 'disable'),
      erase: tellIdentity(config, secrets, 'erase'),
    },
    cards: createCardProcessor(providers.cards),
    mailer,
    toStoredPhoto: (url) => {
      if (config.photos.kind !== 'other') return ownPhotoPath(url, [origin, ...config.otherOrigins]);
      return isPhotoOfHost(url, config.photos.publicUrl) ? url : null;
    },
    settings: settingsOf(config, providers, secrets.photoKey),
    photos: await photoHost(config, secrets),
    identity:
      identity.kind === 'own'
        ? {
            databaseUrl: connectionString,
            origin,
            trustedOrigins: config.otherOrigins,
            secret: secrets.identity,
            ...(secrets.previous !== null && { previousSecret: secrets.previous.identity }),
            serviceSecret: secrets.identityService,
            ...(providers.google !== null && { google: providers.google }),
            rateLimit: config.rateLimits,
            logoutUrl: `${internalOrigin(config)}${LOGOUT_PATH}`,
            mail: { smtpUrl: providers.smtpUrl, from: config.mailFrom },
            passwords: {
              // The demo people's password, which is no secret, has the shop's name in it.
              refusedWords: config.demo ? [] : ['coomercio'],
              ...(config.breachedPasswordsUrl !== null && { rangeUrl: config.breachedPasswordsUrl }),
            },
          }
        : null,
    pages:
      ground.pages === null
        ? null
        : { mode: ground.pages, contentSecurity: contentSecurityOf(config, providers) },
    logger,
    operations: {
      metrics,
      readiness,
      metricsAccess: {
        token: config.metricsToken,
        // Behind a proxy on the same machine everybody comes from this machine.
        loopback: !config.live && config.trustProxy === 0,
      },
    },
    limiter: config.rateLimits ? createLimiter(connection.database) : unlimited,
    trustProxy: config.trustProxy,
    reconcileIntervalMs: RECONCILE_INTERVAL_MS,
  });
  let work: RunningWork | null = null;
  return {
    app: shop.app,
    readiness,
    startWork: async () => {
      work = await shop.startWork();
    },
    close: async () => {
      // Both at once: what one of them has to wait for must not keep the other from its time.
      const outcomes = await Promise.allSettled([shop.app.close(), work?.stop()]);
      mailer.close();
      await connection.close();
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
  };
}
