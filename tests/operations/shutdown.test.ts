// Shutdown while other services hang: open requests get a complete response, and the process exits before it is forced
// to.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardSandbox } from '@coomercio/card-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { book } from '#contract/sales/bookings.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { openDiskStorage } from '#server/listings/photos/storage.ts';
import { storeSamplePhoto } from '#tests/harness/listings/sample-photo.ts';
import { type CardProcessorControl, controlCardProcessor } from '#tests/harness/money/card-processor.ts';
import { startServer } from '#tests/harness/operations/server-process.ts';
import { type IdentityIssuer, startIdentityIssuer } from '#tests/harness/people/identity-issuer.ts';
import { type Person, registerPerson, sampleLaptop } from '#tests/harness/people/person.ts';
import { freePorts, portOf } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

const keys = {
  secretKey: 'sk_test_shutdown',
  publishableKey: 'pk_test_shutdown',
  webhookSecret: 'whsec_shutdown',
};
const price = 549.99;

let folder: string;
let origin: string;
let database: TestDatabase;
let issuer: IdentityIssuer;
let cards: Awaited<ReturnType<typeof startCardSandbox>>;
let processor: CardProcessorControl;
/** Accepts connections and never responds. */
const hangingServer = createServer();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-shutdown-'));
  database = await createTestDatabase();
  issuer = await startIdentityIssuer();
  origin = `http://127.0.0.1:${await freePorts(1)}`;
  cards = await startCardSandbox({
    ...keys,
    port: 0,
    dataFolder: join(folder, 'cards'),
    webhookUrl: `${origin}/webhooks/stripe`,
  });
  processor = controlCardProcessor(cards.origin, keys.secretKey);
  hangingServer.listen(0, '127.0.0.1');
  await once(hangingServer, 'listening');
});
afterAll(async () => {
  await cards.close();
  await issuer.close();
  hangingServer.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const start = () =>
  startServer({
    PORT: new URL(origin).port,
    PUBLIC_ORIGIN: origin,
    DATABASE_URL: database.url,
    COOMERCIO_DATA: join(folder, 'shop'),
    DEMO: '0',
    SANDBOX: '0',
    RATE_LIMITS: '0',
    LOG_LEVEL: 'silent',
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    STRIPE_API_URL: cards.origin,
    SMTP_URL: `smtp://127.0.0.1:${portOf(hangingServer)}`,
    IDENTITY_ISSUER: issuer.issuer,
    IDENTITY_KEYS_URL: issuer.keysUrl.href,
    IDENTITY_AUDIENCE: issuer.audience,
  });

/** Sends a request and reads the raw response. */
async function sendCall(person: Person, path: string, body: unknown) {
  const response = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, length: Number(response.headers.get('content-length')), text };
}

async function bookLaptop(buyer: Person, seller: Person): Promise<string> {
  const { insertedId: productCode } = await seller.client.call(listLaptop, { body: sampleLaptop(origin) });
  const body = { price, phone: '+351 900 000 000', location: 'Central Station', productCode };
  return (await buyer.client.call(book, { body })).insertedId ?? '';
}

test('with hanging card processor and mail server, open requests get a response and the process exits', async () => {
  await storeSamplePhoto(await openDiskStorage(join(folder, 'shop', 'photos')));
  const server = await start();
  const [seller, ...buyers] = await Promise.all([
    registerPerson({ origin, issuer }, 'Seller'),
    ...Array.from({ length: 4 }, () => registerPerson({ origin, issuer }, 'Buyer')),
  ]);
  const bookings = await Promise.all(buyers.map((buyer) => bookLaptop(buyer, seller)));
  const [reconciled, ...callers] = buyers;
  if (reconciled === undefined) throw new Error('There is no buyer.');
  await reconciled.client.call(createPaymentIntent, { body: { price, bookingId: bookings[0] ?? '' } });

  await processor.setFaults({ calls: [{ kind: 'hold', times: 1000 }] });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('update payment_intents set next_check_at = now()');
  await client.end();
  // One held call is from reconciliation; each of the following requests adds another.
  await processor.waitForHeldCalls(1);
  const answers = callers.map((buyer, index) =>
    sendCall(buyer, '/create-payment-intent', { price, bookingId: bookings[index + 1] }),
  );
  await processor.waitForHeldCalls(callers.length + 1);

  const code = server.stop();
  for (const { status, length, text } of await Promise.all(answers)) {
    expect(status).toBe(503);
    expect(Buffer.byteLength(text)).toBe(length);
    expect(ProblemDocument.parse(JSON.parse(text))).toMatchObject({ code: 'card_processor_unavailable' });
  }
  expect(await code).toBe(0);
  expect(server.output().stderr).not.toContain('forced');
});
