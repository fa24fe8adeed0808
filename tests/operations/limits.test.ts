import { afterEach, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { advertiseLaptop } from '#contract/listings/catalogue.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { createLimiter } from '#server/platform/http/limits.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let opened: TestShop | null = null;

async function startLimitedShop(options: Parameters<typeof startTestShop>[0] = {}): Promise<void> {
  shop = await startTestShop({ limited: true, ...options });
  opened = shop;
}

afterEach(async () => {
  await opened?.close();
  opened = null;
});

const forwarded = (address: string) => ({ 'x-forwarded-for': address });

function report(person: Person, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${shop.origin}/api/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}`, ...headers },
    body: JSON.stringify({ productCode: crypto.randomUUID(), reason: 'Other' }),
  });
}

async function collectStatuses(count: number, send: (index: number) => Promise<Response>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await send(index)).status);
  return found;
}

const countRefused = (found: number[]) => found.filter((status) => status === 429).length;

test('a call over its limit is refused with a message and the time to retry; other calls and users are not', async () => {
  await startLimitedShop();
  const [eager, other] = [await shop.buyer(), await shop.buyer()];
  expect(countRefused(await collectStatuses(30, () => report(eager)))).toBe(0);

  const refused = await report(eager);
  expect(refused.status).toBe(429);
  const problem = ProblemDocument.parse(await refused.json());
  expect(problem.code).toBe('too_many_requests');
  expect(problem.detail).toMatch(/Please try again in \d+ minutes?\.|Please try again in a minute\./);
  const wait = new Date(problem.retryAt ?? 0).getTime() - Date.now();
  expect(wait).toBeGreaterThan(0);
  expect(Math.abs(Number(refused.headers.get('retry-after')) - wait / 1000)).toBeLessThan(5);

  expect((await report(other)).status).toBe(404);
  const orders = await fetch(`${shop.origin}/api/bookings`, {
    headers: { authorization: `Bearer ${eager.token}` },
  });
  expect(orders.status).toBe(200);
});

test('invalid input does not count towards the limit', async () => {
  await startLimitedShop();
  const buyer = await shop.buyer();
  const bad = () =>
    fetch(`${shop.origin}/api/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
      body: JSON.stringify({ productCode: 'no id', reason: 'Other' }),
    });
  expect(await collectStatuses(40, bad)).toEqual(Array.from({ length: 40 }, () => 422));
  expect((await report(buyer)).status).toBe(404);
});

test('a payment is recorded after too many payment attempts, and no refusal claims that nothing was charged', async () => {
  await startLimitedShop();
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, await shop.laptop(await shop.seller()));
  const body = { price: 549.99, bookingId };
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const { clientSecret } = await buyer.client.call(createPaymentIntent, { body });
  const { transactionId } = await shop.pay(clientSecret);

  const limiter = createLimiter(shop.connection.database);
  const exhaust = async (limit: 'payment' | 'recording') => {
    for (;;) await limiter.take(limit, { account: buyer.userId, address: '198.51.100.9' });
  };
  const withoutPromise = { code: 'too_many_requests', message: expect.not.stringContaining('charged') };
  await expect(exhaust('payment')).rejects.toThrow();
  await expect(buyer.client.call(createPaymentIntent, { body })).rejects.toMatchObject(withoutPromise);

  const record = () => buyer.client.call(recordPayment, { body: { ...body, transactionId } });
  await expect(record()).resolves.toMatchObject({ acknowledged: true });
  await expect(exhaust('recording')).rejects.toThrow();
  await expect(record()).rejects.toMatchObject(withoutPromise);
});

test('without a trusted proxy X-Forwarded-For is ignored', async () => {
  await startLimitedShop();
  const buyers = await Promise.all(Array.from({ length: 11 }, () => shop.buyer()));
  const started = performance.now();
  const found = await collectStatuses(330, (at) => {
    const buyer = buyers[at % 11];
    if (buyer === undefined) throw new Error('There are eleven buyers.');
    return report(buyer, forwarded(`198.51.100.${at % 250}`));
  });
  // Eleven accounts of 30 each, from one address of 300, which gets one more every 12 s: a slow machine needs longer.
  const refilled = Math.floor((performance.now() - started) / 12_000);
  expect(countRefused(found)).toBeGreaterThanOrEqual(30 - refilled);
  expect(countRefused(found)).toBeLessThanOrEqual(30);
});

test('behind one trusted proxy only the last address of X-Forwarded-For counts', async () => {
  await startLimitedShop({ proxies: 1 });
  const buyers = await Promise.all(Array.from({ length: 11 }, () => shop.buyer()));
  const [last] = buyers.slice(-1);
  if (last === undefined) throw new Error('There are eleven buyers.');
  const found = await collectStatuses(300, (at) =>
    report(buyers[at % 10] ?? last, forwarded(`10.0.0.${at % 250}, 198.51.100.7`)),
  );
  expect(countRefused(found)).toBe(0);
  await expect.poll(async () => (await report(last, forwarded('198.51.100.7'))).status).toBe(429);
  expect((await report(last, forwarded('198.51.100.8'))).status).toBe(404);
});

test('uploads are limited before their body is read', async () => {
  await startLimitedShop({ photoKey: 'the-key' });
  const seller = await shop.seller();
  const upload = () =>
    fetch(`${shop.origin}/photos?key=the-key`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seller.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--\r\n',
    });
  expect(countRefused(await collectStatuses(150, upload))).toBe(0);
  const refused = await upload();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ success: false, code: 'too_many_requests' });
});

test('reports of laptops are limited before their body is read', async () => {
  await startLimitedShop();
  const limiter = createLimiter(shop.connection.database);
  const exhaust = async () => {
    for (;;) await limiter.take('measuring', { account: null, address: '127.0.0.1' });
  };
  // The body of another type is not read.
  const send = () =>
    fetch(`${shop.origin}/measurements`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await send()).status).toBe(415);
  await expect(exhaust()).rejects.toThrow();
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(await refused.text()).toMatch(/^There were many measurements from here/);
});

test('a seller can list and advertise sixty laptops at once', async () => {
  await startLimitedShop();
  const seller = await shop.seller();
  const listed: string[] = [];
  for (let at = 0; at < 60; at += 1) listed.push(await shop.laptop(seller));
  await expect(shop.laptop(seller)).rejects.toMatchObject({ code: 'too_many_requests' });
  const advertise = (_id: string) => seller.client.call(advertiseLaptop, { params: { _id } });
  for (const id of listed) await advertise(id);
  await expect(advertise(listed[0] ?? '')).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('registration, one’s own data, listing, changing, measuring, advertising, saving searches, booking, reporting, refunding, exports, payment and its recording are limited', () => {
  const limited = [...calls].flatMap(([name, { limit }]) =>
    limit === undefined ? [] : [`${name}: ${limit}`],
  );
  expect(limited.sort()).toEqual([
    'acceptInvitation: invitation',
    'advertiseLaptop: advertising',
    'agreeToPrice: booking',
    'answerAsBuyer: complaining',
    'answerAsSeller: complaining',
    'answerMeeting: meeting',
    'answerReview: reviewing',
    'askPhoneCode: phoneCode',
    'blockPerson: conversing',
    'book: booking',
    'buyLabel: handOver',
    'cancelBooking: booking',
    'cancelSale: complaining',
    'changeAddress: handOver',
    'changeLaptop: editing',
    'changeSavedSearch: saving',
    'chooseBookingDelivery: booking',
    'claimShop: registration',
    'complain: complaining',
    'confirmOrder: recording',
    'confirmPhone: phoneCode',
    'connectCardProcessor: editing',
    'createDraftCode: measuring',
    'createLaptopDraft: measuring',
    'createMeasurementCode: measuring',
    'createPaymentIntent: payment',
    'createSameLaptopCode: measuring',
    'decideComplaint: complaining',
    'decideDelivered: complaining',
    'exportAmountsDue: export',
    'exportDebts: export',
    'exportFees: export',
    'exportJournal: export',
    'exportReceipts: export',
    'handOver: handOver',
    'importShopSettings: editing',
    'inviteStaff: inviting',
    'listLaptop: listing',
    'openConversation: conversing',
    'payWaitingRefund: complaining',
    'printLabels: handOver',
    'proposeMeeting: meeting',
    'quoteLabel: handOver',
    'readCheckCode: measuring',
    'readInvitation: invitation',
    'readOwnData: export',
    'readStatement: export',
    'receiveParcel: handOver',
    'recordPayment: recording',
    'refreshPayoutAccount: payout',
    'refundOrder: complaining',
    'registerUser: registration',
    'releaseHold: payment',
    'relistLaptop: listing',
    'renameUser: renaming',
    'reportConversation: reporting',
    'reportLaptop: reporting',
    'reportParcel: complaining',
    'reportReview: reporting',
    'resendInvitation: inviting',
    'saveSearch: saving',
    'sayAboutComplaint: complaining',
    'sendMessage: messaging',
    'sendTestEmail: editing',
    'shipParcel: handOver',
    'startOnboarding: payout',
    'submitBrowserCheck: measuring',
    'submitDraftReport: measuring',
    'submitReport: measuring',
    'subscribeToPush: subscribing',
    'uploadShopPicture: editing',
    'voidLabel: handOver',
    'writeReview: reviewing',
  ]);
});
