import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { book } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { confirmWithCard } from '#demo/card.ts';
import { openDiskStorage } from '#server/listings/photos/storage.ts';
import { storeSamplePhoto } from '#tests/harness/listings/sample-photo.ts';
import { type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { type IdentityIssuer, startIdentityIssuer } from '#tests/harness/people/identity-issuer.ts';
import { registerPerson, sampleLaptop } from '#tests/harness/people/person.ts';
import { portOf } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

/** How the mail server handles a received email. */
type Behaviour = 'accept' | 'hang';

const emails: { to: string; text: string }[] = [];
let behaviour: Behaviour = 'accept';
let onEmail: (text: string) => void = () => undefined;

const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  closeTimeout: 100,
  onData: (stream, session, callback) => {
    buffer(stream).then(
      (raw) => {
        // Quoted-printable: a trailing = continues the line.
        const text = raw.toString('utf8').replace(/=\r?\n/g, '');
        for (const { address } of session.envelope.rcptTo) {
          if (behaviour === 'accept') emails.push({ to: address, text });
        }
        if (behaviour === 'accept') callback(null);
        onEmail(text);
      },
      // A killed server truncates an email, which then counts as not received.
      callback,
    );
  },
});

let folder: string;
let database: TestDatabase;
let issuer: IdentityIssuer;
let environment: Record<string, string> & { PORT: string };
let shop: ServerProcess;

beforeAll(async () => {
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  mailServer.on('error', () => undefined);
  folder = await mkdtemp(join(tmpdir(), 'coomercio-emails-'));
  await chmod(folder, 0o755);
  [database, issuer] = await Promise.all([
    createTestDatabase({ template: 'template0' }),
    startIdentityIssuer(),
  ]);
  environment = {
    PORT: String(await freeShopPort()),
    DATABASE_URL: database.url,
    COOMERCIO_DATA: folder,
    DEMO: '0',
    SMTP_URL: `smtp://127.0.0.1:${portOf(mailServer.server)}`,
    IDENTITY_ISSUER: issuer.issuer,
    IDENTITY_KEYS_URL: issuer.keysUrl.href,
  };
  await storeSamplePhoto(await openDiskStorage(join(folder, 'photos')));
  shop = await startServer(environment);
});
afterAll(async () => {
  await shop.stop();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
  await issuer.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const registerUser = (role: 'Buyer' | 'Seller') => registerPerson({ origin: shop.origin, issuer }, role);

/** Charges a buyer for a booking. The returned `report` commits the sale. */
async function preparePaidBooking() {
  const [seller, buyer] = [await registerUser('Seller'), await registerUser('Buyer')];
  const { insertedId: productCode } = await seller.client.call(listLaptop, {
    body: { ...sampleLaptop(`http://localhost:${environment.PORT}`), name: 'EliteBook', resale_price: 500 },
  });
  const { insertedId: bookingId = '' } = await buyer.client.call(book, {
    body: { productCode, price: 500, phone: '+351 900 000 000', location: 'Central Station' },
  });
  await expect.poll(() => emails.some(({ to }) => to === seller.email)).toBe(true);
  const { clientSecret } = await buyer.client.call(createPaymentIntent, { body: { price: 500, bookingId } });
  const { cards } = await buyer.client.call(readSettings, {});
  const standIn = {
    url: `http://127.0.0.1:${Number(environment.PORT) + 1}`,
    publishableKey: cards.publishableKey,
  };
  const { transactionId, response: paid } = await confirmWithCard(standIn, clientSecret);
  expect(paid.status).toBe(200);
  const report = () => buyer.client.call(recordPayment, { body: { transactionId, bookingId } });
  const countEmailed = () =>
    [buyer, seller].filter(({ email }) =>
      emails.some(({ to, text }) => to === email && text.includes(transactionId)),
    ).length;
  return { transactionId, report, countEmailed };
}

const emailReceived = (transactionId: string) =>
  new Promise<void>((resolve) => {
    onEmail = (text) => {
      if (text.includes(transactionId)) resolve();
    };
  });

/** Moments at which the server is killed, with the mail server's behaviour before. */
const moments: readonly {
  name: string;
  behaviourBefore: Behaviour;
  kill: 'immediately' | 'at the first email';
}[] = [
  { name: 'right after the sale was committed', behaviourBefore: 'hang', kill: 'immediately' },
  { name: 'while an email is being sent', behaviourBefore: 'hang', kill: 'at the first email' },
  { name: 'right after an email was accepted', behaviourBefore: 'accept', kill: 'at the first email' },
];

// Waits for all cases together: a killed worker's job is retried only after its heartbeat has expired.
test('emails buyer and seller after a restart, whenever the server was killed', async () => {
  const sales: { name: string; countEmailed: () => number }[] = [];
  for (const { name, behaviourBefore, kill } of moments) {
    const { transactionId, report, countEmailed } = await preparePaidBooking();
    behaviour = behaviourBefore;
    const first = emailReceived(transactionId);
    // The card processor's event may record the payment before the report does. Either way it is committed now.
    await report();
    if (kill === 'at the first email') await first;
    await shop.stop('SIGKILL');
    behaviour = 'accept';
    shop = await startServer(environment);
    sales.push({ name, countEmailed });
  }
  const outcome = () => sales.map(({ name, countEmailed }) => `${name}: ${countEmailed()} emailed`);
  await expect.poll(outcome, { interval: 200 }).toEqual(moments.map(({ name }) => `${name}: 2 emailed`));
});
