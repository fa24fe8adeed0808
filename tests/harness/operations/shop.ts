import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardSandbox } from '@coomercio/card-sandbox';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { vi } from 'vitest';
import type * as z from 'zod/mini';
import { listLaptop, type NewLaptop } from '#contract/listings/catalogue.ts';
import { readShopSettings, saveShopSettings } from '#contract/operations/settings.ts';
import { type Client, createClient } from '#contract/platform/client.ts';
import { defaultCurrency } from '#contract/platform/currencies.ts';
import { defaultDeadlines, setDeadlines } from '#contract/platform/deadlines.ts';
import { setCurrency } from '#contract/platform/money.ts';
import { defaultShopSettings, type ShopSettings } from '#contract/platform/shop-settings.ts';
import type { StaffArea } from '#contract/platform/staff-rights.ts';
import type { Address } from '#contract/sales/addresses.ts';
import { book, type NewMeetingBooking } from '#contract/sales/bookings.ts';
import { confirmWithCard, GOOD_CARD } from '#demo/card.ts';
import { type AppDependencies, buildApp } from '#server/app.ts';
import { ownPhotoPath } from '#server/listings/photos/rules.ts';
import { openDiskStorage } from '#server/listings/photos/storage.ts';
import { removeUnusedPhotos } from '#server/listings/photos/unused-photos.ts';
import { runPayouts } from '#server/money/payouts/run-payouts.ts';
import { taxOfCommission } from '#server/money/receipts/tax.ts';
import { createMetrics } from '#server/operations/metrics/metrics.ts';
import { createReadiness } from '#server/operations/readiness/readiness.ts';
import { saveSettings } from '#server/operations/settings/actions.ts';
import { readSettings, writeSettings } from '#server/operations/settings/store.ts';
import { createIdentityVerifier } from '#server/people/accounts/identity-verifier.ts';
import { grantAdmin } from '#server/people/accounts/steps.ts';
import { createTokens } from '#server/people/accounts/tokens.ts';
import type { EmailMessage } from '#server/people/notifications/email-sender.ts';
import type { SmsMessage } from '#server/people/phone-checks/sms-sender.ts';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import {
  listenForNotifications,
  type Notifications,
} from '#server/platform/database/notification-listener.ts';
import { createLimiter, unlimited } from '#server/platform/http/limits.ts';
import { createQueue, type Enqueue } from '#server/platform/jobs/queue.ts';
import type { Tracing } from '#server/platform/tracing/start.ts';
import { createPaymentProviders } from '#server/providers/payment-providers.ts';
import { createPushSender } from '#server/providers/push.ts';
import { reconcile } from '#server/sales/payments/reconciliation.ts';
import { storeSamplePhoto } from '../listings/sample-photo.ts';
import { type CardProcessorControl, controlCardProcessor } from '../money/card-processor.ts';
import { findLedgerViolations } from '../money/ledger-invariants.ts';
import { type IdentityIssuer, startIdentityIssuer } from '../people/identity-issuer.ts';
import { insertPerson, type Person, registerPerson, sampleLaptop } from '../people/person.ts';
import { freePorts } from '../platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '../platform/postgres.ts';

const secretKey = 'sk_test_harness';
const publishableKey = 'pk_test_harness';
/** The key that signs the shop's tokens. */
export const tokenSecret = new Uint8Array(32).fill(7);
/** The key that signs the links which stop the emails of saved searches. */
export const unsubscribeKey = new Uint8Array(32).fill(9);
/** The secret from which the keys of certificates are derived. */
export const certificateSecret = new Uint8Array(32).fill(11);
const webhookSecret = 'whsec_harness';

/** The key of the link that makes the first admin of a test shop. */
export const ownershipKey = new Uint8Array(24).fill(19);

/** The settings of a test shop. */
const testSettings: ShopSettings = {
  ...defaultShopSettings,
  shippingCountries: ['US', 'PT'],
  // Tests of payouts need not wait until the time for complaints is over.
  payoutAfter: 'release',
  payoutMethod: 'card_processor',
  smsCodesPerDay: 100_000,
};

export type { Person } from '../people/person.ts';

/** A running shop with its own database and the card processor stand-in, which the files of a worker share. */
export interface SharedShop {
  origin: string;
  connection: Connection;
  database: TestDatabase;
  issuer: IdentityIssuer;
  /** A client without a token. */
  visitor: Client;
  /** Registers a buyer. @param claims claims of the ID token, merged over the defaults */
  buyer(name?: string, claims?: Record<string, unknown>): Promise<Person>;
  /** Registers a seller. @param claims claims of the ID token, merged over the defaults */
  seller(name?: string, claims?: Record<string, unknown>): Promise<Person>;
  /** Registers an admin: an owner, or one with these areas. */
  admin(...areas: StaffArea[]): Promise<Person>;
  /** Lists a laptop. @returns its id */
  laptop(seller: Person, overrides?: Partial<z.input<typeof NewLaptop>>): Promise<string>;
  /** Books a laptop. @returns the booking's id */
  booking(
    buyer: Person,
    laptopId: string,
    overrides?: Partial<z.input<typeof NewMeetingBooking>>,
    address?: z.input<typeof Address>,
  ): Promise<string>;
  /** Confirms an intent with a card number, as the browser does. @returns the intent's id and status */
  pay(clientSecret: string, card?: string): Promise<{ transactionId: string; status: string }>;
  /** Controls the card processor stand-in. */
  cards: CardProcessorControl;
  /** Runs each periodic task of the shop once. @returns the failures */
  runTasks(): Promise<unknown[]>;
  /** Runs the timer's reconciliation of payments. @param now the current time for the run */
  reconcile(now?: Date): Promise<void>;
  /** Runs the timer's round of payouts to sellers. @param now the current time for the run */
  runPayouts(now?: Date): Promise<void>;
  /** Runs the timer's removal of unused photos. @param now the current time for the run @returns the number removed */
  removeUnusedPhotos(now?: Date): Promise<number>;
  /** Enqueues jobs as the shop does, for tests that run periodic tasks themselves. */
  enqueue: Enqueue;
  /** What the shop logs to. */
  logger: FastifyBaseLogger;
  /** The connection for notifications of the shop's process. */
  notifications: Notifications;
  /** Changes settings as an admin does. */
  changeSettings(changes: Partial<ShopSettings>): Promise<void>;
  /** Emails sent so far. */
  mails: EmailMessage[];
  /** Text messages sent so far. */
  texts: SmsMessage[];
  client(token: string | null): Client;
}

/** A shop of one file, which closes it. */
export interface TestShop extends SharedShop {
  close(): Promise<void>;
}

let shared: Promise<TestShop> | null = null;

/**
 * Returns the shop that the files of a worker share, without emails, text messages and planned faults. It starts with the first
 * of them and ends with the worker; its database and files are removed with the run's.
 *
 * A file shares it if it reads and changes only what belongs to people whom it registers. One that counts whole tables, changes
 * time, or needs options starts its own with {@link startTestShop}.
 */
export async function sharedShop(): Promise<SharedShop> {
  shared ??= startTestShop();
  const shop = await shared;
  shop.mails.length = 0;
  shop.texts.length = 0;
  await shop.cards.setFaults({});
  // Tests count all money of the shop, so a file that stores what no payment explains breaks those after it.
  const left = await findLedgerViolations(shop.connection.pool);
  if (left.length > 0) throw new Error(`An earlier test file left this: ${left.join(' ')}`);
  return shop;
}

/**
 * Starts a shop for one test file.
 * @param options.proxyDatabase puts a proxy in front of the database and returns the proxy's URL
 * @param options.database an existing database; dropped when the shop closes
 * @param options.limited whether calls are rate limited
 * @param options.photoKey the image host's key; without it there is no image host, and every well-formed photo URL is
 *   accepted
 * @param options.proxies number of trusted proxies, as in `TRUST_PROXY`
 * @param options.rejectsEmail whether the mail server refuses an email
 * @param options.tracing records what the shop does
 * @param options.settings replaces those of other test shops
 * @param options.tasksEveryMs how often all periodic tasks run, in milliseconds; without it the test runs them itself
 * @param options.dependencies creates dependencies that replace the defaults, such as the pages
 */
export async function startTestShop(
  options: {
    proxyDatabase?: (databaseUrl: string) => Promise<string>;
    database?: TestDatabase;
    limited?: boolean;
    photoKey?: string;
    proxies?: number;
    pushServices?: readonly string[];
    rejectsEmail?: (mail: EmailMessage) => boolean;
    tracing?: Tracing;
    settings?: Partial<ShopSettings>;
    tasksEveryMs?: number;
    dependencies?: (context: {
      origin: string;
      databaseUrl: string;
      folder: string;
    }) => Promise<Partial<AppDependencies>>;
  } = {},
): Promise<TestShop> {
  const [database, issuer, port, folder] = await Promise.all([
    options.database ?? createTestDatabase(),
    startIdentityIssuer(),
    freePorts(1),
    mkdtemp(join(process.env.TEST_FOLDER ?? tmpdir(), 'shop-')),
  ]);
  const origin = `http://127.0.0.1:${port}`;
  const cards = await startCardSandbox({
    port: 0,
    dataFolder: folder,
    secretKey,
    publishableKey,
    webhookSecret,
    webhookUrl: `${origin}/webhooks/stripe`,
    // Delayed outcomes happen only when a test calls `runDelayedOutcomes`.
    delay: 24 * 3_600_000,
    payouts: 'manual',
    settlement: { currency: (options.settings?.currency ?? 'USD').toLowerCase(), exchangeRate: 1 },
  });
  const databaseUrl = (await options.proxyDatabase?.(database.url)) ?? database.url;
  const connection = connect(databaseUrl, () => undefined, {
    // Concurrent calls of a test wait for connections however slow the machine is.
    ...(options.proxyDatabase === undefined && { connectTimeoutMs: 60_000 }),
    traceQuery: options.tracing?.traceQuery ?? null,
  });
  const mails: EmailMessage[] = [];
  const texts: SmsMessage[] = [];
  const storage = await openDiskStorage(join(folder, 'photos'));
  if (options.photoKey !== undefined) await storeSamplePhoto(storage);
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const tokens = createTokens(tokenSecret);
  const notifications = listenForNotifications(databaseUrl, (sentence) => logger.error(sentence));
  const queue = createQueue(
    databaseUrl,
    (error, name) => logger.error({ err: error, job: name }, 'a job failed'),
    { notifications, ...(options.tracing && { traceJob: options.tracing.traceJob }) },
  );
  const {
    cards: processor,
    payouts,
    cardAccount,
  } = createPaymentProviders({
    ...{ secretKey, webhookSecret },
    apiUrl: cards.origin,
  });
  const replaced = await options.dependencies?.({ origin, databaseUrl, folder });
  let { version } = await readSettings(connection.database);
  if (version === 0) {
    await connection.database
      .transaction()
      .execute((transaction) => writeSettings(transaction, version, testSettings));
    version = 1;
  }
  if (options.settings !== undefined) {
    const changed = { ...testSettings, ...options.settings };
    await saveSettings(connection.database, null, { version, settings: changed });
  }
  const { app, settings, startWork } = await buildApp({
    origin,
    database: connection.database,
    directUrl: databaseUrl,
    notifications,
    queue,
    machineKey: new TextEncoder().encode('the key of a test shop'),
    certificateSecrets: [certificateSecret],
    tokens,
    identityProvider: createIdentityVerifier(issuer),
    unsubscribeKeys: [unsubscribeKey],
    photoLinkKey: new Uint8Array(32).fill(13),
    signIns: { disable: async () => undefined, erase: async () => undefined },
    cards: processor,
    cardAccount,
    payoutProcessor: payouts,
    carriers: null,
    emailSender: {
      send: async (mail) => {
        if (options.rejectsEmail?.(mail)) throw new Error('550 No such mailbox');
        mails.push(mail);
      },
      deliver: async (mail) => {
        if (options.rejectsEmail?.(mail)) throw new Error('550 No such mailbox');
        mails.push(mail);
      },
      verify: async () => undefined,
      close: () => undefined,
    },
    pushSender: createPushSender({
      secret: new Uint8Array(32).fill(7),
      origin,
      otherServices: options.pushServices ?? [],
    }),
    sms: {
      sender: {
        send: async (message) => {
          texts.push(message);
          return { kind: 'sent' };
        },
      },
      needsPrefixes: false,
    },
    phoneCodeKey: new Uint8Array(32).fill(17),
    toStoredPhoto: (url) => ownPhotoPath(url, [origin]),
    providerSettings: {
      identity: { url: '/identity', google: false },
      cards: { publishableKey, scriptUrl: null },
      photos: { uploadUrl: '/photos', ownHost: true },
    },
    isLive: false,
    photos:
      options.photoKey === undefined
        ? null
        : { origin, key: options.photoKey, storage, spoolFolder: join(folder, 'uploads') },
    identity: null,
    pages: null,
    logger,
    self: {
      version: '0.0.0',
      role: 'all',
      photoFolder: options.photoKey === undefined ? null : folder,
      standIns: { email: true, sms: true, payments: true, carriers: true },
      hasEventSecret: true,
    },
    operations: {
      metrics: createMetrics(connection, (error) => logger.error(error)),
      readiness: createReadiness(connection.database),
      metricsAccess: { token: null, loopback: true },
      traceRequests: options.tracing?.traceRequests ?? null,
    },
    limiter: options.limited ? createLimiter(connection.database) : unlimited,
    trustProxy: options.proxies ?? 0,
    balance: null,
    tax: taxOfCommission,
    platform: payouts,
    ownershipKey,
    periodicBackups: null,
    ...replaced,
  });
  const { tasksEveryMs } = options;
  const work = await startWork(
    tasksEveryMs === undefined ? { runsTasks: false } : { intervalMs: tasksEveryMs },
  );
  await app.listen({ host: '127.0.0.1', port });

  const client = (token: string | null) => createClient({ base: `${origin}/api`, fetch, token: () => token });

  const person = (role: 'Buyer' | 'Seller', name: string, claims?: Record<string, unknown>) =>
    claims === undefined
      ? insertPerson({ origin, database: connection.database, tokens }, role, name)
      : registerPerson({ origin, issuer }, role, name, claims);

  const admin = async (...areas: StaffArea[]) => {
    const made = await person('Buyer', 'Ada Admin');
    await grantAdmin(connection.database, made.email, { isOwner: areas.length === 0, areas });
    return made;
  };

  return {
    origin,
    connection,
    database,
    issuer,
    visitor: client(null),
    client,
    enqueue: queue.enqueue,
    logger,
    notifications,
    mails,
    texts,
    cards: controlCardProcessor(cards.origin, secretKey),
    runTasks: work.runTasks,
    reconcile: (now = new Date()) =>
      reconcile(
        {
          database: connection.database,
          enqueue: queue.enqueue,
          cards: processor,
          shop: settings,
          isLive: false,
          cache: { waitForInvalidation: async () => undefined },
          logger,
        },
        now,
      ),
    runPayouts: (now = new Date()) =>
      runPayouts(
        { database: connection.database, enqueue: queue.enqueue, processor: payouts, shop: settings, logger },
        now,
      ),
    removeUnusedPhotos: (now = new Date()) =>
      vi.waitFor(
        async () => {
          const photos = { database: connection.database, directUrl: database.url, storage };
          const removed = await removeUnusedPhotos(photos, now);
          if (removed === null) throw new Error('Another clean-up of the shop runs.');
          return removed;
        },
        { timeout: 60_000 },
      ),
    buyer: (name = 'Bea Buyer', claims) => person('Buyer', name, claims),
    seller: (name = 'Sam Seller', claims) => person('Seller', name, claims),
    admin,
    laptop: async (seller, overrides = {}) => {
      const answer = await seller.client.call(listLaptop, {
        body: { ...sampleLaptop(origin), ...overrides },
      });
      return answer.insertedId;
    },
    changeSettings: async (changes) => {
      const { client: asAdmin } = await admin();
      const seen = await asAdmin.call(readShopSettings, {});
      await asAdmin.call(saveShopSettings, {
        body: { version: seen.version, settings: { ...seen.settings, ...changes } },
      });
    },
    booking: async (buyer, laptopId, overrides = {}, address) => {
      const common = { price: 549.99, phone: '+351 900 000 000', productCode: laptopId, ...overrides };
      const answer = await buyer.client.call(book, {
        body:
          address === undefined
            ? { location: 'Central Station', ...common }
            : { ...common, delivery: 'ship', address },
      });
      if (answer.insertedId === undefined) throw new Error(answer.message);
      return answer.insertedId;
    },
    pay: async (clientSecret, card = GOOD_CARD) => {
      const processorAccess = { url: cards.origin, publishableKey };
      const { transactionId, response } = await confirmWithCard(processorAccess, clientSecret, { card });
      const answer: { status?: string } = await response.json();
      return { transactionId, status: answer.status ?? 'refused' };
    },
    close: async () => {
      // Unfinished requests of a test, such as an incoming event, are dropped.
      const closing = app.close();
      app.server.closeAllConnections();
      await closing;
      await work.stop();
      await notifications.stop();
      await connection.close();
      await cards.close();
      await issuer.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
      // The next shop of this process begins with its own.
      setDeadlines(defaultDeadlines);
      setCurrency(defaultCurrency);
    },
  };
}
