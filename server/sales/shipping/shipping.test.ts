// Shipping from the choice of the buyer to the money, and every way in which a parcel fails.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { readHealth } from '#contract/operations/health.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { Problem } from '#contract/platform/client.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { book, listOwnBuyers, readBooking } from '#contract/sales/bookings.ts';
import { answerAsBuyer, answerAsSeller, complain } from '#contract/sales/complaints.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation, readConversation } from '#contract/sales/messages.ts';
import { confirmOrder, readOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import {
  changeAddress,
  chooseBookingDelivery,
  decideDelivered,
  listLateParcels,
  receiveParcel,
  reportParcel,
  shipParcel,
} from '#contract/sales/shipping.ts';
import { formatUtcDay } from '#server/people/notifications/rules.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { scrapeMetrics } from '#tests/harness/operations/shop-metrics.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { applyParcelDeadlines } from './actions.ts';

let shop: TestShop;
let admin: Person;

beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
afterAll(async () => {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await shop.close();
});

const sell = (parts: Parameters<typeof sellLaptop>[1] = {}) =>
  sellLaptop(shop, { address: sampleAddress, ...parts });
let parcels = 0;
const tracked = () => ({ carrier: 'UPS', trackingNumber: `1Z 999 AA1 ${1000 + parcels++}` });
const params = ({ orderId }: Sale) => ({ _id: orderId });
const send = (sale: Sale, parcel = tracked()) =>
  sale.seller.client.call(shipParcel, { params: params(sale), body: parcel });
const report = (sale: Sale, move: 'prove_delivery' | 'take_back' | 'send_again') =>
  sale.seller.client.call(reportParcel, {
    params: params(sale),
    body: { move, text: 'The tracking says so.' },
  });
const read = (sale: Sale, person: Person) => person.client.call(readOrder, { params: params(sale) });

/** Applies the deadlines as if some days had passed. */
async function passDays(days: number): Promise<void> {
  const now = new Date(Date.now() + days * DAY_MS);
  const dependencies = { database: shop.connection.database, enqueue: shop.enqueue };
  await moveOverdueOrders(dependencies, now);
  await applyParcelDeadlines({ ...dependencies, cache: { waitForInvalidation: async () => undefined } }, now);
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error('It was not refused.');
  return { code: error.code, errors: Object.keys(error.errors), detail: error.message };
}

const subjects = ({ email }: Person) =>
  shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

test('a laptop is sent, arrives, and its money is the seller’s after the time to look', async () => {
  const sale = await sell();
  const { seller, buyer } = sale;
  expect(await seller.client.call(listOwnBuyers, { query: {} })).toMatchObject([
    {
      delivery: 'ship',
      shipTo: { address: sampleAddress, lines: [...new Array(3).fill(expect.any(String)), 'United States'] },
    },
  ]);
  expect((await read(sale, seller)).shipTo?.lines).toContain('Portland, OR 97232');
  expect(await read(sale, buyer)).toMatchObject({ state: 'to_ship', moves: [], parcels: [] });

  const parcel = tracked();
  expect(await send(sale, parcel)).toMatchObject({ modifiedCount: 1 });
  expect(await send(sale, parcel)).toMatchObject({ modifiedCount: 0 });
  expect(await read(sale, buyer)).toMatchObject({
    state: 'shipped',
    parcels: [{ way: 'out', carrier: 'UPS', trackingNumber: parcel.trackingNumber.replaceAll(' ', '') }],
  });
  await buyer.client.call(receiveParcel, { params: params(sale) });
  expect(await read(sale, seller)).toMatchObject({ state: 'delivered', laptopWithBuyer: true });
  expect(await seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0 });
  await passDays(13);
  expect((await read(sale, buyer)).state).toBe('delivered');
  await passDays(15);
  expect((await read(sale, buyer)).state).toBe('completed');
  expect((await seller.client.call(readOwnMoney, {})).due).toBeGreaterThan(0);
  await waitForEmptyQueue(shop.connection.pool);
  const texts = shop.mails
    .filter(({ to }) => to === seller.email)
    .map(({ text }) => text.replaceAll(/\s+/g, ' '));
  expect(texts.join()).toContain('the money of this sale is yours now');
  // The order has ended, so the seller needs the address no more.
  expect((await read(sale, seller)).shipTo).toBeUndefined();
  expect((await read(sale, buyer)).shipTo).toBeDefined();
});

test('a buyer who is content releases the money, and complaints end 14 days after the delivery', async () => {
  const sale = await sell();
  await send(sale);
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  const delivered = await read(sale, sale.buyer);
  await sale.buyer.client.call(confirmOrder, { params: params(sale) });
  expect(await read(sale, sale.buyer)).toMatchObject({ state: 'released', dueAt: delivered.dueAt });
});

test('the seller reads the address only once it is paid', async () => {
  const seller = await shop.seller();
  const buyer = await shop.buyer();
  const laptop = await shop.laptop(seller, { delivery: 'both' });
  const bookingId = await shop.booking(buyer, laptop, {}, sampleAddress);
  const [booking] = await seller.client.call(listOwnBuyers, { query: {} });
  expect(booking).toMatchObject({ delivery: 'ship' });
  expect(JSON.stringify(booking)).not.toContain('Broadway');
  expect(await buyer.client.call(readBooking, { params: { _id: bookingId } })).toMatchObject({
    shipTo: { address: sampleAddress },
    deliveries: ['meet', 'ship'],
  });
  await waitForEmptyQueue(shop.connection.pool);
  const texts = shop.mails.filter(({ to }) => to === seller.email).map(({ text }) => text);
  expect(texts.join()).toContain('by parcel');
  expect(texts.join()).not.toContain('Broadway');
});

test('the buyer changes between meeting and parcel until the payment, and the payment asks for a choice that is offered', async () => {
  const seller = await shop.seller();
  const buyer = await shop.buyer();
  const laptop = await shop.laptop(seller, { delivery: 'both' });
  const _id = await shop.booking(buyer, laptop);
  const choose = (body: Parameters<typeof buyer.client.call<typeof chooseBookingDelivery>>[1]['body']) =>
    buyer.client.call(chooseBookingDelivery, { params: { _id }, body });
  await choose({ delivery: 'ship', address: sampleAddress });
  await choose({ delivery: 'meet', location: 'Café Central' });
  const met = await buyer.client.call(readBooking, { params: { _id } });
  expect(met).toMatchObject({ delivery: 'meet', location: 'Café Central' });
  expect(met.shipTo).toBeUndefined();
  await choose({ delivery: 'ship', address: sampleAddress });
  await changeListing(seller, laptop, { delivery: 'meet' });
  const pay = () => buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId: _id } });
  expect(await refusalOf(pay())).toMatchObject({ code: 'delivery_not_chosen' });
  await choose({ location: 'Café Central' });
  expect((await pay()).clientSecret).toBeTruthy();
});

test('a laptop that is sent has no meeting until it is there, and one that is to come is cancelled first', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const laptopId = await shop.laptop(seller, { delivery: 'both' });
  const bookingId = await shop.booking(buyer, laptopId);
  const talk = {
    params: { _id: (await buyer.client.call(openConversation, { body: { bookingId } })).insertedId },
  };
  const startsAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
  const propose = () => seller.client.call(proposeMeeting, { ...talk, body: { place: 'Café', startsAt } });
  const { insertedId: meeting } = await propose();
  const send = () =>
    buyer.client.call(chooseBookingDelivery, {
      params: { _id: bookingId },
      body: { delivery: 'ship', address: sampleAddress },
    });
  await buyer.client.call(answerMeeting, { ...talk, body: { meeting, answer: 'agree' } });
  expect(await refusalOf(send())).toMatchObject({ errors: ['delivery'] });
  // Nobody waits at a meeting that is over.
  const past = `update meetings set starts_at = now() - interval '1 hour' where id = $1`;
  await shop.connection.pool.query(past, [meeting]);
  await send();
  const shown = () => buyer.client.call(readConversation, talk);
  expect(await shown()).toMatchObject({ meeting: null, canMeet: false });
  expect(await refusalOf(propose())).toMatchObject({ detail: expect.stringContaining('sent by parcel') });
  const sale = await sellLaptop(shop, { seller, buyer, laptopId, bookingId });
  expect(await refusalOf(propose())).toMatchObject({ detail: expect.stringContaining('sent by parcel') });
  const parcel = { carrier: 'UPS', trackingNumber: '1Z 999 AA1 42' };
  await seller.client.call(shipParcel, { params: params(sale), body: parcel });
  await buyer.client.call(receiveParcel, { params: params(sale) });
  // To return it, for example.
  expect(await shown()).toMatchObject({ meeting: null, canMeet: true });
  await propose();
  expect((await shown()).meeting).toMatchObject({ state: 'proposed' });
});

test.each([
  ['another country', { country: 'PT', postalCode: '1000-001' }, ['address.country']],
  ['a postal code that is none', { postalCode: '9723' }, ['address.postalCode']],
  ['no postal code', { postalCode: undefined }, ['address.postalCode']],
  ['no state', { region: ' ' }, ['address.region']],
  ['300 characters', { line1: 'x'.repeat(300) }, ['address.line1']],
  ['no country at all', { country: 'Narnia' }, ['address.country']],
  ['a name of nothing', { name: '\u200b' }, ['address.name']],
])('an address with %s is refused at its field, and nothing is booked', async (_title, changes, errors) => {
  const laptop = await shop.laptop(await shop.seller(), { delivery: 'ship' });
  const buyer = await shop.buyer();
  const booking = shop.booking(buyer, laptop, {}, { ...sampleAddress, ...changes });
  expect(await refusalOf(booking)).toMatchObject({ code: 'invalid_input', errors });
  await shop.booking(buyer, laptop, {}, sampleAddress);
});

test('an address is not corrected to another country, nor to one that cannot be', async () => {
  const sale = await sell();
  const change = (changes: Partial<typeof sampleAddress>) =>
    refusalOf(
      sale.buyer.client.call(changeAddress, { params: params(sale), body: { ...sampleAddress, ...changes } }),
    );
  expect(await change({ country: 'PT', postalCode: '1000-001' })).toMatchObject({
    errors: ['country'],
    detail: expect.stringContaining(
      'sent within United States only, because of its battery. Nothing was changed',
    ),
  });
  expect(await change({ postalCode: '9723' })).toMatchObject({ errors: ['postalCode'] });
  expect(await change({ line1: 'x'.repeat(300) })).toMatchObject({ errors: ['line1'] });
  expect((await read(sale, sale.buyer)).shipTo?.address).toEqual(sampleAddress);
});

test('a name in another script is kept as it was written', async () => {
  const name = 'محمد عبد الله';
  const sale = await sell({ address: { ...sampleAddress, name } });
  expect((await read(sale, sale.seller)).shipTo?.lines).toContain(name);
});

test('a laptop that is only sent, or only handed over, is not booked in the other way', async () => {
  const seller = await shop.seller();
  const buyer = await shop.buyer();
  const sent = await shop.laptop(seller, { delivery: 'ship' });
  expect(await refusalOf(shop.booking(buyer, sent))).toMatchObject({ errors: ['delivery'] });
  const met = await shop.laptop(seller);
  const body = { price: 549.99, phone: '+351 900 000 000', productCode: met };
  const wrong = buyer.client.call(book, { body: { ...body, delivery: 'ship', address: sampleAddress } });
  expect(await refusalOf(wrong)).toMatchObject({ errors: ['delivery'] });
  expect(await shop.client(null).call(readLaptop, { params: { _id: sent } })).toMatchObject({
    delivery: 'ship',
    ships_from: 'US',
  });
  const foreign = shop.laptop(seller, { delivery: 'ship', ships_from: 'FR' });
  expect(await refusalOf(foreign)).toMatchObject({ errors: ['ships_from'] });
});

test('what is not sent in time is refunded, after a reminder', async () => {
  const sale = await sell();
  await passDays(3);
  await passDays(3);
  await waitForEmptyQueue(shop.connection.pool);
  expect(subjects(sale.seller).filter((subject) => subject.startsWith('Please send'))).toHaveLength(1);
  await passDays(6);
  await waitForEmptyQueue(shop.connection.pool);
  expect(await read(sale, sale.buyer)).toMatchObject({
    state: 'refunded',
    refunds: [{ reason: 'not_delivered', amount: 549.99 }],
  });
  expect(subjects(sale.seller).some((subject) => subject.endsWith('is yours again'))).toBe(true);
});

test('a parcel of which nobody hears any more is late for the admins, and then counts as lost', async () => {
  const sale = await sell();
  await send(sale);
  const isListed = async () => {
    const parcels = await everyPage((from) =>
      admin.client.page(listLateParcels, { query: { limit: 100, ...from } }),
    );
    return parcels.some(({ _id }) => _id === sale.orderId);
  };
  expect(await isListed()).toBe(false);
  await shop.connection.pool.query(`update orders set due_at = now() + interval '1 day' where id = $1`, [
    sale.orderId,
  ]);
  expect(await isListed()).toBe(true);
  const { checks } = await admin.client.call(readHealth, {});
  expect(checks.find(({ subject }) => subject === 'parcels')).toMatchObject({
    state: 'look',
    figures: expect.arrayContaining([{ name: 'Not arrived', value: '1' }]),
  });
  expect(await scrapeMetrics(shop.connection)).toMatchObject({
    'coomercio_parcels_late{state="shipped"}': 1,
  });
  await passDays(15);
  expect(await read(sale, sale.buyer)).toMatchObject({ state: 'refunded', laptopWithBuyer: false });
  await waitForEmptyQueue(shop.connection.pool);
  // Nobody has the laptop.
  const told = subjects(sale.seller);
  expect(told.some((subject) => subject.startsWith('The parcel counts as lost'))).toBe(true);
  expect(told.some((subject) => subject.endsWith('is yours again'))).toBe(false);
});

test('a parcel that came back is sent again once, to a corrected address, and then refunded', async () => {
  const sale = await sell();
  await send(sale);
  await report(sale, 'send_again');
  const line1 = '1201 NE Broadway';
  await sale.buyer.client.call(changeAddress, { params: params(sale), body: { ...sampleAddress, line1 } });
  expect((await read(sale, sale.seller)).shipTo?.lines).toContain(line1);
  await send(sale);
  const late = sale.buyer.client.call(changeAddress, { params: params(sale), body: sampleAddress });
  expect(await refusalOf(late)).toMatchObject({ code: 'order_moved' });
  expect(await refusalOf(report(sale, 'send_again'))).toMatchObject({ code: 'order_moved' });
  await report(sale, 'take_back');
  const ended = await read(sale, sale.seller);
  expect(ended).toMatchObject({ state: 'refunded', parcels: [{}, { report: 'The tracking says so.' }] });
});

test.each(['seller', 'admin'] as const)(
  'a delivery that the %s proves can be complained about as not arrived, and ends by itself otherwise',
  async (prover) => {
    const sale = await sell();
    await send(sale);
    if (prover === 'seller') await report(sale, 'prove_delivery');
    else {
      await admin.client.call(decideDelivered, { params: params(sale), body: { text: 'Signed by Bea.' } });
    }
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'delivered', laptopWithBuyer: false });
    const body = { kind: 'not_arrived' as const, text: 'Nobody rang.', photos: [] };
    await sale.buyer.client.call(complain, { params: params(sale), body });
    // Taken back: the time to look goes on where it was.
    await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'withdraw' } });
    expect((await read(sale, sale.buyer)).state).toBe('delivered');
    await sale.buyer.client.call(complain, { params: params(sale), body });
    await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
    expect((await read(sale, sale.buyer)).state).toBe('refunded');
  },
);

test('a damaged laptop returns by parcel before the money, and the seller has as long as the parcel takes', async () => {
  const sale = await sell();
  await send(sale);
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  const body = { kind: 'damaged' as const, text: 'The screen is broken.', photos: [] };
  await sale.buyer.client.call(complain, { params: params(sale), body });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
  expect((await read(sale, sale.buyer)).state).toBe('awaiting_return');
  const parcel = tracked();
  await sale.buyer.client.call(answerAsBuyer, {
    params: params(sale),
    body: { move: 'report_return', parcel },
  });
  const reported = await read(sale, sale.seller);
  expect(reported).toMatchObject({ state: 'return_reported', parcels: [{ way: 'out' }, { way: 'back' }] });
  const until = new Date(reported.dueAt ?? '');
  expect(until.getTime() - Date.now()).toBeGreaterThan(13 * DAY_MS);
  await waitForEmptyQueue(shop.connection.pool);
  const told = shop.mails.find(({ subject, to }) => to === sale.seller.email && subject.startsWith('Return'));
  expect(told?.text).toContain(`Until: ${formatUtcDay(until)}`);
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
});

test('somebody else’s tracking number proves nothing, and two numbers at once send one parcel', async () => {
  const [first, second] = [await sell(), await sell()];
  const parcel = tracked();
  await send(first, parcel);
  expect(await refusalOf(send(second, parcel))).toMatchObject({ errors: ['trackingNumber'] });
  expect((await read(second, second.seller)).state).toBe('to_ship');
  const both = await Promise.allSettled([send(second), send(second)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await read(second, second.seller)).parcels).toHaveLength(1);
  for (const trackingNumber of ['12', 'a'.repeat(300), '<script>', '١٢٣٤٥٦٧٨']) {
    const wrong = send(second, { carrier: 'UPS', trackingNumber });
    expect((await refusalOf(wrong)).code).toBe('invalid_input');
  }
  const longCarrier = send(second, { carrier: 'UPS '.repeat(75), trackingNumber: '1Z999AA1' });
  expect(await refusalOf(longCarrier)).toMatchObject({ code: 'invalid_input', errors: ['carrier'] });
});

test('an address is in the export, and is erased after its time', async () => {
  const sale = await sell();
  const exported = async () => JSON.stringify(await sale.buyer.client.call(readOwnData, {}));
  expect(await exported()).toContain('1200 NE Broadway');
  const age = (days: number) =>
    shop.connection.pool.query(
      `update shipping_addresses set stored_at = now() - $2 * interval '1 day' where booking_id = $1`,
      [sale.bookingId, days],
    );
  await age(200);
  await passDays(0);
  // The order is not over: the seller still needs it.
  expect(await exported()).toContain('1200 NE Broadway');
  await send(sale);
  await report(sale, 'take_back');
  await age(100);
  await passDays(0);
  expect(await exported()).toContain('1200 NE Broadway');
  await age(181);
  await passDays(0);
  expect(await exported()).not.toContain('1200 NE Broadway');
});
