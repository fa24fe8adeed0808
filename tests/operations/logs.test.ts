import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { reportLaptop } from '#contract/listings/reports.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { createClient } from '#contract/platform/client.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { book, listBookings } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { confirmWithCard, GOOD_CARD } from '#demo/card.ts';
import { samplePicture, uploadPhoto } from '#demo/pictures.ts';
import { type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

const metricsToken = 'a-token-for-the-metrics-scraper';
const Session = z.object({ idToken: z.string(), sessionToken: z.string() });
const LogLine = z.looseObject({ level: z.number(), time: z.iso.datetime() });

let folder: string;
let database: TestDatabase;
let shop: ServerProcess;
/** Secret and personal values that must not appear in the log. */
const sensitiveValues = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-logs-'));
  await chmod(folder, 0o755);
  database = await createTestDatabase();
  shop = await startServer({
    PORT: String(await freeShopPort()),
    DATABASE_URL: database.url,
    COOMERCIO_DATA: folder,
    DEMO: '0',
    LOG_LEVEL: 'debug',
    METRICS_TOKEN: metricsToken,
  });
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${shop.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Signs a user up as a browser does and records the secret and personal values. */
async function signUp(role: 'Buyer' | 'Seller', who: string = role) {
  const email = `${who.toLowerCase()}.person@private.example`;
  const [name, password] = [`Person ${who} Surname`, `Hidden#${who}1`];
  for (const [what, value] of Object.entries({ email, name, password }))
    sensitiveValues.set(`${who} ${what}`, value);
  const session = Session.parse(
    await (await post('/identity/sign-up/email', { name, email, password })).json(),
  );
  const proven = callsWith(session.idToken);
  await proven.call(registerUser, { body: { name, email, role } });
  const { coomercioToken } = await proven.call(exchangeToken, { query: { email } });
  for (const [what, value] of Object.entries({ ...session, coomercioToken })) {
    sensitiveValues.set(`${who} ${what}`, z.string().parse(value));
  }
  return { email, password, name, token: coomercioToken, calls: callsWith(coomercioToken) };
}

const callsWith = (token: string | null) =>
  createClient({ base: `${shop.origin}/api`, fetch, token: () => token });

const lines = () =>
  shop
    .output()
    .stdout.split('\n')
    .filter((line) => line.startsWith('{'));

test('the debug log contains no secrets and no personal data', async () => {
  const [seller, buyer, leaver] = [
    await signUp('Seller'),
    await signUp('Buyer'),
    await signUp('Buyer', 'Leaver'),
  ];
  const settings = await callsWith(null).call(readSettings, {});
  const photoKey = new URL(settings.photos.uploadUrl, shop.origin).searchParams.get('key') ?? '';
  const phones = { 'seller telephone': '+351 912 777 111', 'buyer telephone': '+351 913 888 222' };
  for (const [what, value] of Object.entries({ ...phones, 'photo key': photoKey, metricsToken })) {
    sensitiveValues.set(what, value);
  }
  sensitiveValues.set('secret', (await readFile(join(folder, 'secret'), 'utf8')).trim());
  sensitiveValues.set('database', database.url);
  sensitiveValues.set('meeting place', 'Behind Her Own House');

  const image = await uploadPhoto(samplePicture, {
    photosUrl: `${shop.origin}/photos`,
    photoKey,
    token: seller.token,
  });
  const { insertedId: productCode } = await seller.calls.call(listLaptop, {
    body: {
      category_Id: 'HP',
      name: 'EliteBook',
      location: 'Lisbon',
      image: image.replace('127.0.0.1', 'localhost'),
      description: 'Works.',
      original_price: 900,
      resale_price: 500,
      posted_time: '11/20/2026, 9:30:00 AM',
      use_time: '1 year',
      mobile_number: phones['seller telephone'],
      condition: 'Good',
    },
  });
  const { insertedId: bookingId = '' } = await buyer.calls.call(book, {
    body: { productCode, price: 500, phone: phones['buyer telephone'], location: 'Behind Her Own House' },
  });
  const { clientSecret } = await buyer.calls.call(createPaymentIntent, { body: { price: 500, bookingId } });
  sensitiveValues.set('client secret', clientSecret);
  sensitiveValues.set('card', GOOD_CARD);
  const cards = { url: settings.cards.scriptUrl ?? '', publishableKey: settings.cards.publishableKey };
  const { transactionId } = await confirmWithCard(cards, clientSecret);
  await buyer.calls.call(recordPayment, { body: { transactionId, bookingId } });
  await buyer.calls.call(reportLaptop, {
    body: { productCode, reason: 'Other', note: `Ask ${seller.email}` },
  });

  // URLs with email addresses, wrong passwords, hostile requests and failures.
  await buyer.calls.call(listBookings, { query: { email: buyer.email } });
  await expect(buyer.calls.call(listBookings, { query: { email: seller.email } })).rejects.toThrow();
  await post('/identity/sign-in/email', { email: buyer.email, password: 'Wrong#Guess9' });
  sensitiveValues.set('wrong password', 'Wrong#Guess9');
  await post('/identity/password/reset-letter', { email: buyer.email });
  await post(`/photos?key=${photoKey}`, {}, { authorization: `Bearer ${seller.token}` });
  await post(
    '/api/bookings',
    { phone: phones['buyer telephone'] },
    { authorization: `Bearer ${buyer.token}` },
  );
  await fetch(`${shop.origin}/api/users/buyer/${encodeURIComponent(buyer.email)}`);
  await fetch(`${shop.origin}/nowhere/${buyer.email}?token=${buyer.token}`);
  await fetch(`${shop.origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  await buyer.calls.call(readOwnData, {});
  // The buyer has an order that can be complained about, so another account ends.
  await leaver.calls.call(deleteOwnAccount, { query: { email: leaver.email } });
  // The account's end reaches the identity provider by a job.
  await expect.poll(() => lines().some((line) => line.includes('/identity/admin/erase'))).toBe(true);

  const refused = z.looseObject({
    attempt: z.literal('password'),
    outcome: z.literal('invalid_credential'),
    account: z.string(),
    requestId: z.uuid(),
  });
  expect(lines().filter((line) => refused.safeParse(JSON.parse(line)).success)).toHaveLength(1);

  const written = `${lines().join('\n')}\n${shop.output().stderr}`;
  expect(lines().length).toBeGreaterThan(25);
  expect([...sensitiveValues.keys()].length).toBeGreaterThan(18);
  for (const [what, value] of sensitiveValues) {
    expect(value.length, what).toBeGreaterThan(5);
    for (const form of new Set([value, encodeURIComponent(value), value.replaceAll(/[ +]/g, '')])) {
      expect(written.includes(form), `${what} is in the log`).toBe(false);
    }
  }
});

test('each request is logged in one line with method, route, status, time and request id, a health check in none', async () => {
  for (const path of ['/healthz', '/readyz']) await fetch(`${shop.origin}${path}`);
  const refused = await fetch(`${shop.origin}/api/users/buyer/somebody@private.example`);
  const { requestId } = ProblemDocument.parse(await refused.json());
  expect(refused.headers.get('x-request-id')).toBe(requestId);
  const own = () =>
    lines().flatMap((line) => (line.includes(requestId ?? '-') ? [LogLine.parse(JSON.parse(line))] : []));
  await expect.poll(() => own().length).toBe(1);
  expect(own()[0]).toMatchObject({
    method: 'GET',
    route: '/api/users/buyer/:email',
    status: 401,
    code: 'not_signed_in',
    milliseconds: expect.any(Number),
    requestId,
  });
  for (const line of lines()) LogLine.parse(JSON.parse(line));
  expect(lines().filter((line) => /healthz|readyz/.test(line))).toEqual([]);
});

test('refusals of the identity provider and of the image host have the request id as well', async () => {
  for (const path of ['/identity/sign-in/email', '/photos', '/api/nowhere', '/nowhere']) {
    const answer = await post(path, {});
    const { requestId } = z.object({ requestId: z.uuid() }).parse(await answer.json());
    expect(answer.headers.get('x-request-id'), path).toBe(requestId);
  }
});

test('metrics are served with the metrics token', async () => {
  const scrape = (headers: Record<string, string>) => fetch(`${shop.origin}/metrics`, { headers });
  expect((await scrape({})).status).toBe(401);
  expect((await scrape({ authorization: 'Bearer guess' })).status).toBe(401);
  const scraped = await scrape({
    authorization: `Bearer ${metricsToken}`,
    'x-forwarded-for': '198.51.100.7',
  });
  expect(scraped.status).toBe(200);
  expect(await scraped.text()).toContain('coomercio_jobs');
});
