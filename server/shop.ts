import cluster from 'node:cluster';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ID_TOKEN_AUDIENCE } from '#contract/people/accounts.ts';
import packageJson from '../package.json' with { type: 'json' };
import { buildApp } from './app.ts';
import type { ImageHostOptions } from './listings/photos/plugin.ts';
import { isPhotoOfHost, ownPhotoPath } from './listings/photos/rules.ts';
import { taxOfCommission } from './money/receipts/tax.ts';
import { shopIdOf } from './operations/backup/destination.ts';
import { openDestination } from './operations/backup/open-destination.ts';
import type { PeriodicBackups } from './operations/backup/plugin.ts';
import { createIdentityAdmin } from './operations/commands/identity-admin.ts';
import { type Config, internalOrigin } from './operations/configuration/config.ts';
import {
  contentSecuritySources,
  openPhotoStorage,
  type Providers,
  toSettings,
} from './operations/configuration/providers.ts';
import { logMoney } from './operations/health/money.ts';
import { createMetrics } from './operations/metrics/metrics.ts';
import { shareMetrics } from './operations/processes/metrics.ts';
import { createReadiness } from './operations/readiness/readiness.ts';
import { LOGOUT_PATH } from './people/accounts/back-channel-logout.ts';
import { createIdentityVerifier } from './people/accounts/identity-verifier.ts';
import { createTokens } from './people/accounts/tokens.ts';
import { connect } from './platform/database/connect.ts';
import { listenForNotifications } from './platform/database/notification-listener.ts';
import { createLimiter, unlimited } from './platform/http/limits.ts';
import { createQueue } from './platform/jobs/queue.ts';
import type { RunningWork } from './platform/jobs/work.ts';
import { certificateSecrets, type Secrets, secretFilePath } from './platform/secrets.ts';
import type { Tracing } from './platform/tracing/start.ts';
import { createEasyPost } from './providers/easypost.ts';
import { createEmailSender } from './providers/email.ts';
import { createPaymentProviders } from './providers/payment-providers.ts';
import { createPushSender } from './providers/push.ts';
import { createSmsSender } from './providers/sms.ts';

/** What a shop is created from, once its database and its providers run. */
export interface ShopOptions {
  config: Config;
  secrets: Secrets;
  providers: Providers;
  /** The database, perhaps through a pooler in transaction mode. */
  databaseUrl: string;
  /** PostgreSQL itself, for what belongs to a connection: LISTEN, locks, prepared statements. */
  directUrl: string;
  logger: FastifyBaseLogger;
  /** Null when traces are off. */
  tracing: Tracing | null;
  /** Null to serve the API only. */
  pages: 'production' | 'development' | null;
}

async function openImageHost(config: Config, secrets: Secrets): Promise<ImageHostOptions | null> {
  const storage = await openPhotoStorage(config);
  if (storage === null) return null;
  const spoolFolder = join(config.dataFolder, 'uploads');
  return { origin: config.origin, key: secrets.photoKey, storage, spoolFolder };
}

/** @returns null in a process without background work, which makes no backups */
async function openPeriodicBackups(
  { backupDestination, role, secret, dataFolder }: Config,
  { fingerprint, previous }: Secrets,
  photos: ImageHostOptions | null,
): Promise<PeriodicBackups | null> {
  if (role === 'web') return null;
  return {
    destination: backupDestination && (await openDestination(backupDestination)),
    source: {
      photos: photos?.storage ?? null,
      secretFile: secret === null ? secretFilePath(dataFolder) : null,
      secretFingerprint: fingerprint,
    },
    shopIds: [fingerprint, ...(previous === null ? [] : [previous.fingerprint])].map(shopIdOf),
  };
}

/** Creates all dependencies from the configuration and builds the app. */
export async function openShop(options: ShopOptions) {
  const { config, secrets, providers, databaseUrl, directUrl, logger, tracing } = options;
  const { identity, origin } = config;
  const hasBackgroundWork = config.role !== 'web';
  const connection = connect(
    databaseUrl,
    (error) => logger.warn({ err: error }, 'a database connection broke'),
    {
      connections: config.databaseConnections,
      isPooled: databaseUrl !== directUrl,
      traceQuery: tracing?.traceQuery ?? null,
    },
  );
  const metrics = createMetrics(
    connection,
    (error, metric) => logger.error({ err: error, metric }, 'a metric cannot be read'),
    { ofWholeShop: hasBackgroundWork, ...(cluster.isWorker && { share: shareMetrics }) },
  );
  metrics.watchDisk(config.dataFolder);
  const readiness = createReadiness(connection.database);
  const notifications = listenForNotifications(directUrl, (sentence) => logger.error(sentence));
  const { cards, cardAccount, payouts: payoutProcessor } = createPaymentProviders(providers.cards);
  const money = {
    database: connection.database,
    platform: payoutProcessor,
  };
  const emailSender = createEmailSender({
    url: providers.smtpUrl,
    from: config.mailFrom,
    // The server's reply is not logged: it contains the address.
    onGivenUp: (responseCode) =>
      logger.warn(
        { responseCode },
        'The mail server refused the recipient of an email; it is not sent again',
      ),
  });
  const photos = await openImageHost(config, secrets);
  const shop = await buildApp({
    origin,
    database: connection.database,
    directUrl,
    notifications,
    queue: createQueue(
      directUrl,
      (error, name) => {
        if (name === undefined) return logger.warn({ err: error }, 'the job queue failed and tries again');
        metrics.recordJobFailure(name);
        logger.warn({ err: error, job: name }, 'a job failed');
      },
      {
        runsJobs: hasBackgroundWork,
        notifications,
        ...(tracing !== null && { traceJob: tracing.traceJob }),
      },
    ),
    machineKey: secrets.machines,
    photoLinkKey: secrets.photoLinks,
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
    unsubscribeKeys: [
      secrets.unsubscribe,
      ...(secrets.previous === null ? [] : [secrets.previous.unsubscribe]),
    ],
    isLive: config.live && !config.standIns,
    balance: payoutProcessor,
    tax: taxOfCommission,
    platform: payoutProcessor,
    cardAccount,
    ownershipKey: secrets.ownership,
    // An external provider has its own administration. The shop rejects the tokens of ended accounts in both cases.
    signIns: identity.kind === 'own' ? createIdentityAdmin(config, secrets) : null,
    cards,
    payoutProcessor,
    carriers: providers.carriers && createEasyPost(providers.carriers),
    emailSender,
    pushSender: createPushSender({ secret: secrets.push, origin, otherServices: config.pushServices }),
    sms: providers.sms && {
      sender: createSmsSender({ url: providers.sms.url, key: Buffer.from(providers.sms.key, 'base64') }),
      // The stand-in's messages cost nothing.
      needsPrefixes: config.sms.kind === 'hook',
    },
    phoneCodeKey: secrets.phoneCodes,
    toStoredPhoto: (url) => {
      if (config.photos.kind !== 'other') return ownPhotoPath(url, [origin, ...config.otherOrigins]);
      return isPhotoOfHost(url, config.photos.publicUrl) ? url : null;
    },
    providerSettings: toSettings(config, providers, secrets.photoKey),
    photos,
    periodicBackups: await openPeriodicBackups(config, secrets, photos),
    identity:
      identity.kind === 'own'
        ? {
            databaseUrl: directUrl,
            migrate: config.migrate,
            origin,
            trustedOrigins: config.otherOrigins,
            secret: secrets.identity,
            ...(secrets.previous !== null && { previousSecret: secrets.previous.identity }),
            serviceSecret: secrets.identityService,
            ...(providers.google !== null && { google: providers.google }),
            rateLimit: config.rateLimits,
            logoutUrl: `${internalOrigin(config)}${LOGOUT_PATH}`,
            passwords: {
              // The published password of the demo accounts contains the name of a fresh shop.
              refusesShopName: !config.demo,
              ...(config.breachedPasswordsUrl !== null && { rangeUrl: config.breachedPasswordsUrl }),
            },
          }
        : null,
    pages:
      options.pages === null
        ? null
        : { mode: options.pages, contentSecurity: contentSecuritySources(config, providers) },
    logger,
    self: {
      version: packageJson.version,
      role: config.role,
      photoFolder: config.photos.kind === 'disk' ? config.dataFolder : null,
      standIns: {
        email: config.mail.kind === 'sandbox',
        sms: config.sms.kind === 'sandbox',
        payments: config.cards.kind === 'sandbox',
        carriers: config.carriers.kind === 'sandbox',
      },
      hasEventSecret: providers.cards.webhookSecret !== null,
    },
    operations: {
      metrics,
      readiness,
      metricsAccess: {
        token: config.metricsToken,
        // Behind a proxy on the same machine every request comes from a loopback address.
        loopback: !config.live && config.trustProxy === 0,
      },
      traceRequests: tracing?.traceRequests ?? null,
    },
    limiter: config.rateLimits ? createLimiter(connection.database) : unlimited,
    trustProxy: config.trustProxy,
    certificateSecrets: certificateSecrets(secrets),
  });
  let work: RunningWork | null = null;
  return {
    app: shop.app,
    readiness,
    /** Starts the job queue and, unless this process only serves requests, jobs and periodic tasks. */
    startWork: async (): Promise<void> => {
      work = await shop.startWork({ runsTasks: hasBackgroundWork });
      // The shop opens also when the card processor does not answer. Its stand-in takes no money.
      if (hasBackgroundWork && config.cards.kind === 'stripe') {
        void logMoney({ ...money, shop: shop.settings }, logger);
      }
    },
    /** Completes requests and background work in progress, then closes the email transport and the database. */
    close: async (): Promise<void> => {
      // Concurrently: both have time limits of their own.
      const outcomes = await Promise.allSettled([shop.app.close(), work?.stop()]);
      emailSender.close();
      await notifications.stop();
      await connection.close();
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
  };
}
