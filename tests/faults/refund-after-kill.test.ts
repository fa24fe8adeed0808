import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardSandbox } from '@coomercio/card-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop, listLaptop } from '#contract/listings/catalogue.ts';
import { book } from '#contract/sales/bookings.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { confirmWithCard } from '#demo/card.ts';
import { openDiskStorage } from '#server/listings/photos/storage.ts';
import { storeSamplePhoto } from '#tests/harness/listings/sample-photo.ts';
import { type CardProcessorControl, controlCardProcessor } from '#tests/harness/money/card-processor.ts';
import { type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { type IdentityIssuer, startIdentityIssuer } from '#tests/harness/people/identity-issuer.ts';
import { type Inbox, startInbox } from '#tests/harness/people/inbox.ts';
import { registerPerson, sampleLaptop } from '#tests/harness/people/person.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

const keys = { secretKey: 'sk_test_kill', publishableKey: 'pk_test_kill', webhookSecret: 'whsec_kill' };
const [refundSentSubject, refundFailedSubject] = [
  'Your money for EliteBook is on its way back',
  'Your refund for EliteBook has failed',
];

let folder: string;
let database: TestDatabase;
let pool: pg.Pool;
let issuer: IdentityIssuer;
let inbox: Inbox;
let standIn: Awaited<ReturnType<typeof startCardSandbox>>;
let cards: CardProcessorControl;
let environment: Record<string, string> & { PORT: string };
let shop: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-refunds-'));
  const port = await freePorts(1);
  [database, issuer, inbox, standIn] = await Promise.all([
    createTestDatabase({ template: 'template0' }),
    startIdentityIssuer(),
    startInbox(),
    startCardSandbox({
      ...keys,
      port: 0,
      dataFolder: join(folder, 'cards'),
      webhookUrl: `http://127.0.0.1:${port}/webhooks/stripe`,
      delay: 24 * 3_600_000,
      payouts: 'manual',
    }),
  ]);
  cards = controlCardProcessor(standIn.origin, keys.secretKey);
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  environment = {
    PORT: String(port),
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    COOMERCIO_DATA: join(folder, 'data'),
    DEMO: '0',
    SANDBOX: '0',
    SMTP_URL: inbox.smtpUrl,
    IDENTITY_ISSUER: issuer.issuer,
    IDENTITY_KEYS_URL: issuer.keysUrl.href,
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    STRIPE_API_URL: standIn.origin,
    STRIPE_SCRIPT_URL: `${standIn.origin}/stripe.js`,
  };
  await storeSamplePhoto(await openDiskStorage(join(environment.COOMERCIO_DATA ?? '', 'photos')));
  shop = await startServer(environment);
});
afterAll(async () => {
  await shop.stop();
  await pool.end();
  await standIn.close();
  await inbox.close();
  await issuer.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const registerUser = (role: 'Buyer' | 'Seller') => registerPerson({ origin: shop.origin, issuer }, role);

/** Charges a buyer for a laptop that is removed before the shop learns of it; the event is held. */
async function chargeForRemovedLaptop(card: string) {
  const [seller, buyer] = [await registerUser('Seller'), await registerUser('Buyer')];
  const { insertedId: _id } = await seller.client.call(listLaptop, {
    body: { ...sampleLaptop(shop.origin), name: 'EliteBook', resale_price: 500 },
  });
  const { insertedId: bookingId = '' } = await buyer.client.call(book, {
    body: { productCode: _id, price: 500, phone: '+351 900 000 000', location: 'Central Station' },
  });
  // Held from the intent's creation on: a job for an earlier event can run late, and would find the intent paid.
  await cards.setFaults({ webhooks: { mode: 'hold' } });
  const { clientSecret } = await buyer.client.call(createPaymentIntent, { body: { price: 500, bookingId } });
  const processor = { url: standIn.origin, publishableKey: keys.publishableKey };
  const { transactionId } = await confirmWithCard(processor, clientSecret, { card });
  await seller.client.call(deleteOwnLaptop, { params: { _id } });
  return { email: buyer.email, transactionId };
}

const state = async (transactionId: string) =>
  (await pool.query('select state from refunds where transaction_id = $1', [transactionId])).rows[0]?.state;
const subjectsTo = async (email: string) => (await inbox.emailsTo(email)).map(({ subject }) => subject);
const pollOptions = { timeout: 60_000, interval: 200 };

test('refunds once and emails the buyer when the server is killed after the refund was made', async () => {
  const { email, transactionId } = await chargeForRemovedLaptop('4242424242424242');
  await cards.setFaults({ calls: [{ method: 'POST', path: '/v1/refunds', kind: 'hold', moment: 'after' }] });
  await cards.waitForHeldCalls(1);
  expect(await cards.refundedCents(transactionId)).toBe(50_000);
  await shop.stop('SIGKILL');
  expect(await state(transactionId)).toBe('pending');
  expect(await subjectsTo(email)).not.toContain(refundSentSubject);

  shop = await startServer(environment);
  await expect.poll(() => state(transactionId), pollOptions).toBe('done');
  await expect.poll(() => subjectsTo(email), pollOptions).toContain(refundSentSubject);
  const { data } = await cards.stripe.refunds.list({ payment_intent: transactionId });
  expect(data).toHaveLength(1);
});

test('records a failed refund when the server is killed while it reads the refund', async () => {
  const { email, transactionId } = await chargeForRemovedLaptop('4000000000005126');
  await cards.setFaults({});
  await expect.poll(() => state(transactionId), pollOptions).toBe('done');
  await cards.setFaults({ calls: [{ method: 'GET', path: '/v1/refunds/*', kind: 'hold', times: 10 }] });
  await cards.runDelayedOutcomes();
  await cards.waitForHeldCalls(1);
  await shop.stop('SIGKILL');
  expect(await state(transactionId)).toBe('done');
  await cards.setFaults({});

  shop = await startServer(environment);
  await expect.poll(() => state(transactionId), pollOptions).toBe('failed');
  await expect.poll(() => subjectsTo(email), pollOptions).toContain(refundFailedSubject);
});
