import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardSandbox } from '@coomercio/card-sandbox';
import { pino } from 'pino';
import type * as z from 'zod/mini';
import { book, type NewBooking } from '#contract/bookings.ts';
import { listLaptop, type NewLaptop } from '#contract/catalogue.ts';
import { type Client, createClient } from '#contract/client.ts';
import { createIdentityVerifier } from '#server/accounts/identity-proof.ts';
import { grantAdmin } from '#server/accounts/steps.ts';
import { createTokens } from '#server/accounts/tokens.ts';
import { buildApp, type Parts } from '#server/app.ts';
import { removeUnusedPhotos } from '#server/catalogue/unused-photos.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { createLimiter, unlimited } from '#server/http/limits.ts';
import { createQueue } from '#server/jobs/queue.ts';
import { recordCardAct } from '#server/moderation/steps.ts';
import { createMetrics } from '#server/operations/metrics.ts';
import { createReadiness } from '#server/operations/readiness.ts';
import { reconcile } from '#server/payments/follow-up.ts';
import { ownPhotoPath } from '#server/photos/rules.ts';
import { openDiskStorage } from '#server/photos/storage.ts';
import type { Mail } from '#server/vendors/mail.ts';
import { createCardProcessor } from '#server/vendors/stripe.ts';
import { confirmWithCard, GOOD_CARD } from './card.ts';
import { type CardProcessorInHand, takeInHand } from './card-processor.ts';
import { type IdentityIssuer, startIdentityIssuer } from './identity-issuer.ts';
import { anyLaptop, enterShop, type Person } from './person.ts';
import { freePorts } from './ports.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { keepAnyPhoto } from './sample-photo.ts';

const secretKey = 'sk_test_harness';
const publishableKey = 'pk_test_harness';
/** What the shop's tokens are signed with. */
export const tokenSecret = new Uint8Array(32).fill(7);
const webhookSecret = 'whsec_harness';

export type { Person } from './person.ts';

/** A running shop on a database of its own, with the card processor's stand-in over HTTP. */
export interface TestShop {
  origin: string;
  connection: Connection;
  database: TestDatabase;
  issuer: IdentityIssuer;
  /** Calls without a token. */
  visitor: Client;
  /** @param claims of the ID token, merged over sensible ones */
  buyer(name?: string, claims?: Record<string, unknown>): Promise<Person>;
  /** @param claims of the ID token, merged over sensible ones */
  seller(name?: string, claims?: Record<string, unknown>): Promise<Person>;
  admin(): Promise<Person>;
  /** Lists a laptop. @returns its id */
  laptop(seller: Person, overrides?: Partial<z.input<typeof NewLaptop>>): Promise<string>;
  /** Books a laptop. @returns the booking's id */
  booking(buyer: Person, laptopId: string, overrides?: Partial<z.input<typeof NewBooking>>): Promise<string>;
  /** Pays an intent with a card number as the browser would. @returns the intent's id and status */
  pay(clientSecret: string, card?: string): Promise<{ transactionId: string; status: string }>;
  /** The card processor's stand-in. */
  cards: CardProcessorInHand;
  /** Looks after silent payments as the timer would. @param now that the timer would see */
  reconcile(now?: Date): Promise<void>;
  /** Removes unused photos as the timer would. @param now that the timer would see @returns how many */
  removeUnusedPhotos(now?: Date): Promise<number>;
  /** Mails sent so far. */
  mails: Mail[];
  client(token: string | null): Client;
  close(): Promise<void>;
}

/**
 * Starts a shop for one test file.
 * @param options.line makes the way to the database, where a test wants to break it
 * @param options.database one that is there already, with whatever it holds; dropped with the shop
 * @param options.limited whether calls are limited
 * @param options.photoKey the key of the image host; without one there is none, and any photo of its form is taken
 * @param options.proxies how many proxies in front are believed when they name an address
 * @param options.refusesLetter whether the mail server refuses a letter
 * @param options.adminSecondFactor whether admins must sign in with a second factor
 * @param options.parts makes parts that take the place of those below, such as the pages
 */
export async function startTestShop(
  options: {
    line?: (databaseUrl: string) => Promise<string>;
    database?: TestDatabase;
    limited?: boolean;
    photoKey?: string;
    proxies?: number;
    adminSecondFactor?: boolean;
    refusesLetter?: (mail: Mail) => boolean;
    parts?: (surroundings: {
      origin: string;
      databaseUrl: string;
      folder: string;
    }) => Promise<Partial<Parts>>;
  } = {},
): Promise<TestShop> {
  const [database, issuer, port, folder] = await Promise.all([
    options.database ?? createTestDatabase(),
    startIdentityIssuer(),
    freePorts(1),
    mkdtemp(join(tmpdir(), 'coomercio-cards-')),
  ]);
  const origin = `http://127.0.0.1:${port}`;
  const cards = await startCardSandbox({
    port: 0,
    dataFolder: folder,
    secretKey,
    publishableKey,
    webhookSecret,
    webhookUrl: `${origin}/webhooks/stripe`,
    // Nothing happens there by itself unless a test says `later`.
    delay: 24 * 3_600_000,
  });
  const databaseUrl = (await options.line?.(database.url)) ?? database.url;
  const connection = connect(databaseUrl, () => undefined);
  const mails: Mail[] = [];
  const storage = await openDiskStorage(join(folder, 'photos'));
  if (options.photoKey !== undefined) await keepAnyPhoto(storage);
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const tokens = createTokens(tokenSecret);
  const queue = createQueue(databaseUrl, (error, name) =>
    logger.error({ err: error, job: name }, 'a job failed'),
  );
  const processor = createCardProcessor({ secretKey, webhookSecret, apiUrl: new URL(cards.origin) });
  const { app, startWork } = await buildApp({
    origin,
    database: connection.database,
    connectionString: databaseUrl,
    queue,
    tokens,
    identityProvider: createIdentityVerifier(issuer),
    adminSecondFactor: options.adminSecondFactor ?? false,
    signIns: { disable: async () => undefined, erase: async () => undefined },
    cards: processor,
    mailer: {
      send: async (mail) => {
        if (options.refusesLetter?.(mail)) throw new Error('550 No such mailbox');
        mails.push(mail);
      },
      close: () => undefined,
    },
    storedPhoto: (url) => ownPhotoPath(url, [origin]),
    settings: {
      identity: { url: '/identity', google: false },
      cards: { publishableKey, scriptUrl: null },
      photos: { uploadUrl: '/photos', ownHost: true },
    },
    photos:
      options.photoKey === undefined
        ? null
        : { origin, key: options.photoKey, storage, spoolFolder: join(folder, 'uploads') },
    identity: null,
    pages: null,
    logger,
    operations: {
      metrics: createMetrics(connection.pool, (error) => logger.error(error)),
      readiness: createReadiness(connection.database),
      metricsAccess: { token: null, loopback: true },
    },
    limiter: options.limited ? createLimiter(connection.database) : unlimited,
    trustProxy: options.proxies ?? 0,
    reconcileEvery: 3_600_000,
    ...(await options.parts?.({ origin, databaseUrl, folder })),
  });
  const work = await startWork();
  await app.listen({ host: '127.0.0.1', port });

  const client = (token: string | null) => createClient({ base: `${origin}/api`, fetch, token: () => token });

  const person = (role: 'Buyer' | 'Seller', name: string, claims?: Record<string, unknown>) =>
    enterShop({ origin, issuer }, role, name, claims);

  return {
    origin,
    connection,
    database,
    issuer,
    visitor: client(null),
    client,
    mails,
    cards: takeInHand(cards.origin, secretKey),
    reconcile: (now = new Date()) =>
      reconcile(
        {
          database: connection.database,
          enqueue: queue.enqueue,
          cards: processor,
          forgetCatalogue: () => undefined,
          record: recordCardAct,
        },
        now,
      ),
    removeUnusedPhotos: (now = new Date()) =>
      removeUnusedPhotos({ database: connection.database, storage }, now),
    buyer: (name = 'Bea Buyer', claims) => person('Buyer', name, claims),
    seller: (name = 'Sam Seller', claims) => person('Seller', name, claims),
    admin: async () => {
      const admin = await person('Buyer', 'Ada Admin');
      await grantAdmin(connection.database, admin.email);
      return admin;
    },
    laptop: async (seller, overrides = {}) => {
      const answer = await seller.client.call(listLaptop, { body: { ...anyLaptop(origin), ...overrides } });
      return answer.insertedId;
    },
    booking: async (buyer, laptopId, overrides = {}) => {
      const answer = await buyer.client.call(book, {
        body: {
          price: 549.99,
          phone: '+351 900 000 000',
          location: 'Central Station',
          productCode: laptopId,
          ...overrides,
        },
      });
      if (answer.insertedId === undefined) throw new Error(answer.message);
      return answer.insertedId;
    },
    pay: async (clientSecret, card = GOOD_CARD) => {
      const place = { url: cards.origin, publishableKey };
      const { transactionId, response } = await confirmWithCard(place, clientSecret, { card });
      const answer: { status?: string } = await response.json();
      return { transactionId, status: answer.status ?? 'refused' };
    },
    close: async () => {
      // What a test leaves under way, such as an event on its way in, is nobody's any more.
      const closing = app.close();
      app.server.closeAllConnections();
      await closing;
      await work.stop();
      await connection.close();
      await cards.close();
      await issuer.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
