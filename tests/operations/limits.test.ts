import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { advertiseLaptop } from '#contract/listings/catalogue.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { createLimiter, type LimitedAction, type LimitSubject } from '#server/platform/http/limits.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ limited: true });
});
afterAll(() => shop.close());

/** Uses up a limit, as many calls do. */
async function exhaust(limit: LimitedAction, subject: LimitSubject): Promise<void> {
  const limiter = createLimiter(shop.connection.database);
  const takeAll = async () => {
    for (;;) await limiter.take(limit, subject);
  };
  await expect(takeAll()).rejects.toMatchObject({ code: 'too_many_requests' });
}

function report(
  person: Person,
  headers: Record<string, string> = {},
  origin = shop.origin,
): Promise<Response> {
  return fetch(`${origin}/api/reports`, {
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
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, await shop.laptop(await shop.seller()));
  const body = { price: 549.99, bookingId };
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const { clientSecret } = await buyer.client.call(createPaymentIntent, { body });
  const { transactionId } = await shop.pay(clientSecret);

  const subject = { account: buyer.userId, address: '198.51.100.9' };
  const withoutPromise = { code: 'too_many_requests', message: expect.not.stringContaining('charged') };
  await exhaust('payment', subject);
  await expect(buyer.client.call(createPaymentIntent, { body })).rejects.toMatchObject(withoutPromise);

  const record = () => buyer.client.call(recordPayment, { body: { ...body, transactionId } });
  await expect(record()).resolves.toMatchObject({ acknowledged: true });
  await exhaust('recording', subject);
  await expect(record()).rejects.toMatchObject(withoutPromise);
});

test('uploads are limited before their body is read', async () => {
  const photoShop = await startTestShop({ limited: true, photoKey: 'the-key' });
  onTestFinished(photoShop.close);
  const seller = await photoShop.seller();
  const upload = () =>
    fetch(`${photoShop.origin}/photos?key=the-key`, {
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
  // The body of another type is not read.
  const send = () =>
    fetch(`${shop.origin}/measurements`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await send()).status).toBe(415);
  await exhaust('measuring', { account: null, address: '127.0.0.1' });
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(await refused.text()).toMatch(/^There were many measurements from here/);
});

test('a seller can list and advertise sixty laptops at once', async () => {
  const seller = await shop.seller();
  const limiter = createLimiter(shop.connection.database);
  const subject = { account: seller.userId, address: '198.51.100.10' };
  for (const limit of ['listing', 'advertising'] as const) await limiter.take(limit, subject, 59);
  const id = await shop.laptop(seller);
  await expect(shop.laptop(seller)).rejects.toMatchObject({ code: 'too_many_requests' });
  const advertise = (_id: string) => seller.client.call(advertiseLaptop, { params: { _id } });
  await advertise(id);
  await expect(advertise(id)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('registration, one’s own data, listing, changing, measuring, advertising, saving searches, booking, reporting, refunding, exports, payment and its recording are limited', () => {
  const limited = [...calls].flatMap(([name, { limit }]) =>
    limit === undefined ? [] : [`${name}: ${limit}`],
  );
  expect(limited.sort()).toEqual([
    'acceptInvitation: invitation',
    'addPackingPhotos: complaining',
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
    'closePaymentWindow: payment',
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
    'exportAccounts: export',
    'exportAmountsDue: export',
    'handOver: handOver',
    'importShopSettings: editing',
    'inviteStaff: inviting',
    'listLaptop: listing',
    'openConversation: conversing',
    'payRefundByHand: complaining',
    'payWaitingRefund: complaining',
    'previewContent: previewing',
    'printLabels: handOver',
    'printManifest: handOver',
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
    'relistLaptop: listing',
    'renameUser: renaming',
    'reportConversation: reporting',
    'reportLaptop: reporting',
    'reportParcel: complaining',
    'reportReview: reporting',
    'saveSearch: saving',
    'sayAboutComplaint: complaining',
    'sellerStatus: lookingUp',
    'sendMessage: messaging',
    'sendTestEmail: editing',
    'setReturnAddress: handOver',
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

test('behind one trusted proxy only the last address of X-Forwarded-For counts', async () => {
  const behindProxy = await startTestShop({ limited: true, proxies: 1 });
  onTestFinished(behindProxy.close);
  const buyer = await behindProxy.buyer();
  const limiter = createLimiter(behindProxy.connection.database);
  await limiter.take('reporting', { account: null, address: '198.51.100.7' }, 300);
  const statusFrom = async (addresses: string) =>
    (await report(buyer, { 'x-forwarded-for': addresses }, behindProxy.origin)).status;
  expect(await statusFrom('10.0.0.1, 198.51.100.7')).toBe(429);
  expect(await statusFrom('198.51.100.7, 198.51.100.8')).toBe(404);
});

// The last test: nobody at this address reports any more.
test('without a trusted proxy X-Forwarded-For is ignored', async () => {
  const buyer = await shop.buyer();
  await exhaust('reporting', { account: null, address: '127.0.0.1' });
  expect((await report(buyer, { 'x-forwarded-for': '198.51.100.8' })).status).toBe(429);
});
