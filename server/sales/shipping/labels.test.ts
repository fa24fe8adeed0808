// Labels that the shop buys: from the price to the money, and every way in which a label or its parcel fails.

import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readShopMoney } from '#contract/money/accounting.ts';
import { listOwnSales, readMoneyHistory, readOwnMoney } from '#contract/money/payouts.ts';
import { readHealth } from '#contract/operations/health.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { listWaiting } from '#contract/operations/waiting.ts';
import { Problem } from '#contract/platform/client.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { listBookings, listOwnBuyers } from '#contract/sales/bookings.ts';
import {
  answerAsBuyer,
  answerAsSeller,
  cancelSale,
  complain,
  decideComplaint,
} from '#contract/sales/complaints.ts';
import {
  buyLabel,
  listClaims,
  listOrderLabels,
  printLabels,
  quoteLabel,
  readPrintableLabels,
  readShippingEstimates,
  settleClaim,
  voidLabel,
} from '#contract/sales/labels.ts';
import { confirmOrder, readOrder, refundOrder } from '#contract/sales/orders.ts';
import { changeAddress, receiveParcel, reportParcel, shipParcel } from '#contract/sales/shipping.ts';
import { runComplaintClocks } from '#server/sales/complaints/clocks.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { onboardedSeller } from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import type { Person, TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import {
  sampleSender,
  startShopWithCarriers,
  type TestCarriers,
  verify,
} from '#tests/harness/sales/carriers.ts';
import { DISPUTED_CARD, disputeSales, hearCards } from '#tests/harness/sales/disputed-sale.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { runParcelClocks } from './actions.ts';
import { type Carriers, CarriersRefusal, CarriersUnavailable } from './carriers.ts';
import { followLabel, followLabels } from './follow-labels.ts';
import { invoiceDifferences, parseInvoice, recordCarrierPayment } from './invoice.ts';
import type { LabelDependencies } from './labels.ts';
import { printLabels as printOwn } from './print-labels.ts';

let shop: TestShop;
let admin: Person;
let fake: TestCarriers;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ shop, fake, close } = await startShopWithCarriers());
  admin = await shop.admin();
});
afterAll(async () => {
  await settle();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await close();
});

const settle = () => waitForEmptyQueue(shop.connection.pool);
async function sell(parts: Parameters<typeof sellLaptop>[1] = {}): Promise<Sale> {
  const sale = await sellLaptop(shop, { address: sampleAddress, ...parts });
  await verify(shop, sale.seller);
  return sale;
}
const params = ({ orderId }: Sale) => ({ _id: orderId });
const read = (sale: Sale, person: Person) => person.client.call(readOrder, { params: params(sale) });
const labels = (sale: Sale, person = sale.seller) =>
  person.client.call(listOrderLabels, { params: params(sale) });
const quote = (sale: Sale, from: Partial<typeof sampleSender> = {}) =>
  sale.seller.client.call(quoteLabel, {
    params: params(sale),
    body: { sender: { ...sampleSender, ...from } },
  });

/** Buys the cheapest label of a sale. */
async function buy(sale: Sale) {
  const { _id, rates } = await quote(sale);
  const [rate] = rates;
  if (rate === undefined) throw new Error('There is no rate.');
  await sale.seller.client.call(buyLabel, { params: { _id }, body: { rate: rate._id, price: rate.price } });
  await settle();
  return { _id, rate };
}

const buyQuoted = (person: Person, { _id, rates }: Awaited<ReturnType<typeof quote>>) =>
  person.client.call(buyLabel, {
    params: { _id },
    body: { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 },
  });

/** Lets the laptop of a sale return with a label of the shop. @returns the label's id */
async function returnWithLabel(
  sale: Sale,
  { isScanned = true, kind = 'not_as_described' as 'not_as_described' | 'damaged' } = {},
): Promise<string> {
  await buy(sale);
  await report(sale, 'delivered');
  await sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind, text: 'The lid is broken.', photos: [] },
  });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
  const quoted = await sale.buyer.client.call(quoteLabel, { params: params(sale), body: {} });
  await buyQuoted(sale.buyer, quoted);
  await settle();
  if (isScanned) await report(sale, 'in_transit', 'back');
  return quoted._id;
}

const claimOf = async (id: string) =>
  (await admin.client.call(listClaims, {})).find((claim) => claim._id === id);
const settleTo = (id: string, paid: number, paidBefore = 0) =>
  admin.client.call(settleClaim, { params: { _id: id }, body: { paidBefore, paid } });
const sendAgain = (sale: Sale) =>
  sale.seller.client.call(reportParcel, {
    params: params(sale),
    body: { move: 'send_again', text: 'It came back.' },
  });

const shipmentOf = (sale: Sale, way?: 'out' | 'back') => fake.shipmentOf(sale.orderId, way);

async function report(sale: Sale, status: Parameters<TestCarriers['report']>[1], way?: 'out' | 'back') {
  const answer = await fake.report((await shipmentOf(sale, way)).id, status);
  await settle();
  return answer;
}

const dependencies = (): LabelDependencies => ({
  database: shop.connection.database,
  enqueue: shop.enqueue,
  carriers: fake.carriers,
  shop: () => ({ shippingBorneBy: 'seller', payoutMethod: 'card_processor' }),
});

/** Runs the clocks as if some days had passed. */
async function passDays(days: number): Promise<void> {
  const now = new Date(Date.now() + days * DAY_MS);
  const { database, enqueue } = dependencies();
  await moveOverdueOrders({ database, enqueue }, now);
  await runComplaintClocks({ database, enqueue }, now);
  await runParcelClocks({ database, enqueue, cache: { waitForInvalidation: async () => undefined } }, now);
  await followLabels(dependencies(), now);
  await settle();
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error('It was not refused.');
  return { code: error.code, errors: Object.keys(error.errors), detail: error.message };
}

const ledgerOf = async (sale: Sale, account: string): Promise<number> => {
  const { rows } = await shop.connection.pool.query<{ cents: number }>(
    'select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where order_id = $1 and account = $2',
    [sale.orderId, account],
  );
  return rows[0]?.cents ?? 0;
};

test('a label is bought, printed and tracked to the payout, which is the price less the label', async () => {
  const sale = await sell();
  expect(await labels(sale)).toEqual({
    ...{ offered: 'out', takesReturnAddress: false, borneBy: 'seller', sender: null, labels: [] },
  });
  const { rates, insured, borneBy } = await quote(sale);
  expect({ insured, borneBy }).toEqual({ insured: 549.99, borneBy: 'seller' });
  // 3,600 g are 8 pounds; the insurance costs 1 %.
  expect(rates[0]).toMatchObject({ carrier: 'UPS', service: 'Ground', price: 16.48, days: 3 });
  const { _id, rate } = await buy(sale);
  const [label] = (await labels(sale)).labels;
  expect(label).toMatchObject({ state: 'bought', carrier: 'UPS', price: rate.price, tracking: 'unknown' });
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(-1_648);
  expect(await ledgerOf(sale, 'label_advances')).toBe(1_648);
  expect(await sale.seller.client.call(readPrintableLabels, {})).toMatchObject({ unprinted: 1 });
  expect(await labels(sale, sale.buyer)).toMatchObject({ labels: [] });

  for (const [paper, width, height] of [
    ['4x6', 288, 432],
    ['A4', 595, 842],
  ] as const) {
    const { pdf } = await sale.seller.client.call(printLabels, { body: { paper, label: _id } });
    const [page] = (await PDFDocument.load(pdf)).getPages();
    expect([page?.getWidth(), page?.getHeight()].map((each) => Math.round(each ?? 0))).toEqual([
      width,
      height,
    ]);
  }
  expect(await sale.seller.client.call(readPrintableLabels, {})).toMatchObject({ unprinted: 0 });

  expect(await report(sale, 'pre_transit')).toBe(200);
  expect((await read(sale, sale.buyer)).state).toBe('to_ship');
  await report(sale, 'in_transit');
  expect(await read(sale, sale.buyer)).toMatchObject({
    state: 'shipped',
    parcels: [{ way: 'out', carrier: 'UPS', trackingNumber: label?.trackingNumber }],
  });
  await report(sale, 'out_for_delivery');
  await report(sale, 'delivered');
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
  const order = await read(sale, sale.seller);
  expect(order.timeline.map(({ event, by }) => `${event} ${by}`)).toEqual([
    'paid buyer',
    'collect carrier',
    'deliver carrier',
  ]);
  expect(order).toMatchObject({
    labels: 16.48,
    proceeds: 533.51,
    parcels: [{ tracking: { state: 'delivered' } }],
  });
  const money = async () => ({
    ...{ held: (await sale.seller.client.call(readOwnMoney, {})).held },
    sales: await sale.seller.client.call(listOwnSales, { query: {} }),
  });
  expect(await money()).toMatchObject({ held: 533.51, sales: [{ labels: 16.48, proceeds: 533.51 }] });
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('completed');
  expect((await sale.seller.client.call(readOwnMoney, {})).due).toBe(533.51);
  expect(await ledgerOf(sale, 'label_advances')).toBe(0);
  const { labels: exported, senderAddresses } = await sale.seller.client.call(readOwnData, {});
  expect(exported).toMatchObject([{ state: 'used', carrier: 'UPS' }]);
  expect(senderAddresses).toMatchObject([{ line1: '388 Townsend St' }]);
});

test('a retry after a crash buys nothing twice: the answer was lost, the process was killed before the record, two at once', async () => {
  const lost = await sell();
  const quoted = await quote(lost);
  await fake.fail('lost_answer');
  const body = { rate: quoted.rates[0]?._id ?? '', price: quoted.rates[0]?.price ?? 0 };
  await lost.seller.client.call(buyLabel, { params: quoted, body });
  await expect.poll(async () => (await labels(lost)).labels[0]?.state, { timeout: 20_000 }).toBe('bought');
  await settle();

  const killed = await sell();
  const before = await quote(killed);
  const { rows } = await shop.connection.pool.query<{ shipment_id: string; rate_id: string }>(
    `select shipment_id, rates->0->>'rateId' as rate_id from labels where id = $1`,
    [before._id],
  );
  const { shipment_id: shipmentId = '', rate_id: rateId = '' } = rows[0] ?? {};
  // What the killed process did before it could record it.
  const bought = await fake.carriers.buy(shipmentId, { rateId, insuredCents: 54_999 });
  const again = { rate: rateId, price: before.rates[0]?.price ?? 0 };
  await killed.seller.client.call(buyLabel, { params: before, body: again });
  await settle();
  expect((await labels(killed)).labels).toMatchObject([
    { state: 'bought', trackingNumber: bought.label?.trackingNumber },
  ]);

  const twice = await sell();
  const { _id, rates } = await quote(twice);
  const call = () =>
    twice.seller.client.call(buyLabel, {
      params: { _id },
      body: { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 },
    });
  const answers = await Promise.all([call(), call(), call()]);
  expect(answers.map(({ modifiedCount }) => modifiedCount).sort()).toEqual([0, 0, 1]);
  await settle();
  const ofOrders = (await fake.shipments()).filter(({ postage_label }) => postage_label !== null);
  for (const { orderId } of [lost, killed, twice]) {
    expect(ofOrders.filter(({ reference }) => reference === orderId)).toHaveLength(1);
  }
  expect(await ledgerOf(twice, 'carrier_payable')).toBe(-1_648);
  // While one is bought, no other price is asked for.
  expect(await refusalOf(quote(twice))).toMatchObject({ code: 'label_refused' });

  // Of two quotes at once, one is left to be bought.
  const both = await sell();
  const quotes = await Promise.all([quote(both), quote(both)]);
  const bids = await Promise.allSettled(quotes.map((each) => buyQuoted(both.seller, each)));
  expect(bids.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await settle();
  expect((await labels(both)).labels.map(({ state }) => state)).toEqual(['bought']);
});

test('what the carrier declines is said, costs nothing, and can be asked again', async () => {
  const sale = await sell();
  await fake.fail('declined');
  await buy(sale);
  expect((await labels(sale)).labels).toMatchObject([
    { state: 'failed', problem: 'The carrier does not accept this parcel.' },
  ]);
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(0);
  await buy(sale);
  expect((await labels(sale)).labels.map(({ state }) => state)).toEqual(['failed', 'bought']);
});

test('forged, foreign, repeated, late and out-of-order events change nothing wrongly', async () => {
  const sale = await sell();
  await buy(sale);
  const { id, tracker } = await shipmentOf(sale);
  const body = JSON.stringify({
    id: 'evt_1',
    description: 'tracker.updated',
    result: { ...tracker, status: 'delivered' },
  });
  const post = (signature: string) =>
    fetch(`${shop.origin}/webhooks/easypost`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hmac-signature': signature },
      body,
    });
  expect((await post(`hmac-sha256-hex=${'0'.repeat(64)}`)).status).toBe(400);
  expect((await post('')).status).toBe(400);
  // A signed event says only that something happened: the shop reads what.
  expect(await fake.sendEvent('tracker.updated', { ...tracker, status: 'delivered' })).toBe(200);
  expect(
    await fake.sendEvent('tracker.updated', {
      id: 'trk_1',
      shipment_id: 'shp_of_another_shop',
      status: 'delivered',
    }),
  ).toBe(200);
  expect(await fake.sendEvent('batch.updated', { id: 'batch_1' })).toBe(200);
  await settle();
  expect((await read(sale, sale.buyer)).state).toBe('to_ship');

  // Delivered without an event in between, and the former ones afterwards.
  await report(sale, 'delivered');
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
  const { tracker: delivered } = await shipmentOf(sale);
  for (const status of ['in_transit', 'pre_transit', 'delivered']) {
    await fake.sendEvent('tracker.updated', { ...delivered, shipment_id: id, status });
  }
  await settle();
  await report(sale, 'in_transit');
  const order = await read(sale, sale.buyer);
  expect(order.state).toBe('delivered');
  expect(order.timeline.map(({ event }) => event)).toEqual(['paid', 'collect', 'deliver']);
});

test('without events the shop asks the carrier itself', async () => {
  const sale = await sell();
  await buy(sale);
  const { id } = await shipmentOf(sale);
  const stored = (await fake.shipments()).find((each) => each.id === id);
  expect(stored?.tracker?.status).toBe('unknown');
  await shop.connection.pool.query('update labels set next_check_at = null where shipment_id <> $1', [id]);
  // The events of this parcel are lost: the job that they enqueue is removed.
  await fake.report(id, 'in_transit');
  await settle();
  await passDays(1);
  expect((await read(sale, sale.buyer)).state).toBe('shipped');
});

test('an unused label is given back: by its seller, when the sale ends, when the address changes, for a label of one’s own', async () => {
  const byHand = await sell();
  const { _id } = await buy(byHand);
  await byHand.seller.client.call(voidLabel, { params: { _id } });
  expect(await byHand.seller.client.call(voidLabel, { params: { _id } })).toMatchObject({ modifiedCount: 0 });
  await settle();
  expect((await labels(byHand)).labels).toMatchObject([{ state: 'voiding' }]);
  expect((await shipmentOf(byHand)).refund_status).toBe('submitted');
  expect(await ledgerOf(byHand, 'carrier_payable')).toBe(-1_648);
  await report(byHand, 'refunded');
  expect((await labels(byHand)).labels).toMatchObject([{ state: 'voided' }]);
  expect(await ledgerOf(byHand, 'carrier_payable')).toBe(0);
  expect(await ledgerOf(byHand, 'label_advances')).toBe(0);

  const cancelled = await sell();
  await buy(cancelled);
  await cancelled.seller.client.call(cancelSale, {
    params: params(cancelled),
    body: { text: 'It fell down.' },
  });
  await passDays(0);
  expect((await labels(cancelled)).labels).toMatchObject([{ state: 'voiding' }]);
  // The carrier keeps the money: the seller pays, whose sale has ended, and owes it.
  await report(cancelled, 'rejected');
  expect((await labels(cancelled)).labels).toMatchObject([{ state: 'kept' }]);
  expect(await ledgerOf(cancelled, 'payable')).toBe(1_648);

  const moved = await sell();
  await buy(moved);
  await moved.buyer.client.call(changeAddress, {
    params: params(moved),
    body: { ...sampleAddress, line1: '1300 NE Broadway' },
  });
  await settle();
  await report(moved, 'refunded');
  await buy(moved);
  const [former, present] = (await labels(moved)).labels;
  expect([former?.state, present?.state]).toEqual(['voided', 'bought']);
  expect((await shipmentOf(moved)).to_address.street1).toBe('1300 NE Broadway');
  // The carrier takes no parcel with the former one.
  const withFormer = moved.seller.client.call(shipParcel, {
    params: params(moved),
    body: { carrier: 'UPS', trackingNumber: former?.trackingNumber ?? '' },
  });
  expect(await refusalOf(withFormer)).toMatchObject({ code: 'invalid_input', errors: ['trackingNumber'] });
  expect((await read(moved, moved.seller)).state).toBe('to_ship');

  const own = await sell();
  await buy(own);
  const parcel = { carrier: 'UPS', trackingNumber: '1Z 888 BB2 2222' };
  await own.seller.client.call(shipParcel, { params: params(own), body: parcel });
  await settle();
  expect((await labels(own)).labels).toMatchObject([{ state: 'voiding' }]);
  await report(own, 'refunded');
});

test('a label is given back whose purchase ends, or times out, after it was given back', async () => {
  const sale = await sell();
  const last = async () => (await labels(sale)).labels.at(-1);
  /** Gives a label back while the carrier sells it. */
  async function giveBackDuring(
    finish: (buy: () => ReturnType<Carriers['buy']>) => ReturnType<Carriers['buy']>,
  ) {
    const { _id, rates } = await quote(sale);
    // As a purchase does, without its job.
    await shop.connection.pool.query(`update labels set state = 'buying', rate_id = $2 where id = $1`, [
      _id,
      rates[0]?._id,
    ]);
    const carriers: Carriers = {
      ...fake.carriers,
      async buy(...purchase) {
        await sale.seller.client.call(voidLabel, { params: { _id } });
        await settle();
        expect((await last())?.state).toBe('voided');
        return finish(() => fake.carriers.buy(...purchase));
      },
    };
    await followLabel({ ...dependencies(), carriers }, _id);
    await settle();
  }
  const expectMoneyBack = async () => {
    expect((await last())?.state).toBe('voiding');
    expect(await ledgerOf(sale, 'carrier_payable')).toBe(-1_648);
    await report(sale, 'refunded');
    expect((await last())?.state).toBe('voided');
    expect(await ledgerOf(sale, 'carrier_payable')).toBe(0);
  };
  await giveBackDuring((buy) => buy());
  await expectMoneyBack();

  const timedOut = giveBackDuring(async (buy) => {
    await buy();
    throw new CarriersUnavailable('It does not answer.');
  });
  await expect(timedOut).rejects.toThrow(CarriersUnavailable);
  await passDays(1 / 12);
  await expectMoneyBack();

  await giveBackDuring(() => Promise.reject(new CarriersRefusal('Declined.')));
  expect((await last())?.state).toBe('voided');
});

test.each([
  [
    'its order has ended',
    (sale: Sale) =>
      sale.seller.client.call(cancelSale, { params: params(sale), body: { text: 'It fell down.' } }),
  ],
  ['a bank disputes the payment', () => disputeSales(shop)],
  [
    'too much of the price went back',
    (sale: Sale) =>
      admin.client.call(refundOrder, {
        params: params(sale),
        body: { amount: 540, from: 'seller', text: 'The battery is worn out.' },
      }),
  ],
])('a label whose carrier was away is not bought afterwards when %s', async (_title, happens) => {
  const sale = await sell({ card: DISPUTED_CARD });
  const { _id, rates } = await quote(sale);
  // As a purchase does, whose job waits for the carrier.
  await shop.connection.pool.query(`update labels set state = 'buying', rate_id = $2 where id = $1`, [
    _id,
    rates[0]?._id,
  ]);
  await happens(sale);
  await settle();
  await followLabel(dependencies(), _id);
  await settle();
  expect((await labels(sale)).labels).toMatchObject([{ state: 'voided' }]);
  const bought = (await fake.shipments()).filter(({ postage_label }) => postage_label !== null);
  expect(bought.map(({ reference }) => reference)).not.toContain(sale.orderId);
});

test('a number of somebody else’s label proves nothing, and the own one is used', async () => {
  const [sale, other] = [await sell(), await sell()];
  await buy(sale);
  const { trackingNumber = '' } = (await labels(sale)).labels[0] ?? {};
  const body = { carrier: 'UPS', trackingNumber };
  expect(
    await refusalOf(other.seller.client.call(shipParcel, { params: params(other), body })),
  ).toMatchObject({
    code: 'invalid_input',
    errors: ['trackingNumber'],
  });
  await sale.seller.client.call(shipParcel, { params: params(sale), body });
  await settle();
  expect((await labels(sale)).labels).toMatchObject([{ state: 'used' }]);
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
});

test('a lost parcel is refunded, its claim is on the desk, and what the insurance pays is the seller’s', async () => {
  const sale = await sell();
  const { _id } = await buy(sale);
  await report(sale, 'in_transit');
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  // The seller bears the label.
  expect(await ledgerOf(sale, 'payable')).toBe(1_648);
  expect(await admin.client.call(listClaims, {})).toContainEqual(
    expect.objectContaining({ _id, insured: 549.99, carrier: 'UPS' }),
  );
  const { checks } = await admin.client.call(readHealth, {});
  expect(checks.find(({ subject }) => subject === 'carriers')).toMatchObject({
    state: 'look',
    finding: expect.stringContaining('lost'),
  });
  expect(await refusalOf(settleTo(_id, 600))).toMatchObject({
    code: 'invalid_input',
    errors: ['paid'],
    detail: 'An insurance pays from 0 to $549.99. Nothing was recorded.',
  });
  await settleTo(_id, 549.99);
  expect(await refusalOf(settleTo(_id, 549.99))).toMatchObject({ code: 'not_found' });
  expect((await sale.seller.client.call(readOwnMoney, {})).due).toBe(533.51);
  await settle();
});

test('the laptop of a complaint returns with a label, which the buyer prints and the seller bears', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'delivered');
  await sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind: 'not_as_described', text: 'The lid is broken.', photos: [] },
  });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
  expect(await labels(sale, sale.buyer)).toMatchObject({ offered: 'back', sender: null, labels: [] });
  expect(await labels(sale)).toMatchObject({ offered: null });
  const { _id, rates } = await sale.buyer.client.call(quoteLabel, { params: params(sale), body: {} });
  expect(rates).toHaveLength(1);
  const body = { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 };
  expect(await refusalOf(sale.seller.client.call(buyLabel, { params: { _id }, body }))).toMatchObject({
    code: 'not_found',
  });
  await sale.buyer.client.call(buyLabel, { params: { _id }, body });
  await settle();
  const { pdf } = await sale.buyer.client.call(printLabels, { body: { paper: 'A4', label: _id } });
  expect(pdf.length).toBeGreaterThan(1_000);
  // A label is printed and given back only by the person who bought it.
  const ownWays = async (person: Person) =>
    (await labels(sale, person)).labels.map(({ way, isOwn }) => `${way} ${isOwn}`);
  expect(await ownWays(sale.buyer)).toEqual(['back true']);
  expect(await ownWays(sale.seller)).toEqual(['out true', 'back false']);
  expect(await ownWays(admin)).toEqual(['out false', 'back false']);
  await report(sale, 'in_transit', 'back');
  expect(await read(sale, sale.seller)).toMatchObject({
    state: 'return_reported',
    laptopWithBuyer: false,
    parcels: [{ way: 'out' }, { way: 'back' }],
  });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  expect(await ledgerOf(sale, 'payable')).toBe(2 * 1_648);
});

test('a refund waits for no label: the seller owes it, and got no money for the sale', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'delivered');
  await sale.buyer.client.call(confirmOrder, { params: params(sale) });
  await sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind: 'does_not_work', text: 'It stays dark.', photos: [] },
  });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
  await buyQuoted(sale.buyer, await sale.buyer.client.call(quoteLabel, { params: params(sale), body: {} }));
  await settle();
  await report(sale, 'in_transit', 'back');
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
  await settle();
  expect((await read(sale, sale.buyer)).refunds).toMatchObject([{ amount: 549.99, state: 'done' }]);
  expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0, owed: 32.96 });
});

test('after a payout a refund waits for what the seller got, and not for the label', async () => {
  await shop.cards.topUp(1_000_000);
  await shop.cards.settleFunds();
  const sale = await sell({ seller: await onboardedSeller(shop) });
  await buy(sale);
  await report(sale, 'delivered');
  await passDays(15);
  await shop.runPayouts();
  expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0, paid: 533.51 });
  await shop.cards.settleFunds();
  const refunds = async () =>
    (await read(sale, sale.buyer)).refunds.map(({ amount, state }) => [amount, state]).sort();
  const refund = (amount: number) =>
    admin.client.call(refundOrder, {
      params: params(sale),
      body: { amount, from: 'seller', text: 'The battery is worn out.' },
    });
  // The rest of the sale still pays the label: the seller got the whole part.
  await refund(100);
  await settle();
  expect(await refunds()).toEqual([[100, 'waiting']]);
  await shop.runPayouts();
  await refund(449.99);
  await settle();
  expect(await refunds()).toEqual([
    [100, 'done'],
    [16.48, 'done'],
    [433.51, 'waiting'],
  ]);
  await shop.runPayouts();
  await settle();
  expect((await refunds()).map(([, state]) => state)).toEqual(['done', 'done', 'done']);
  expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0, owed: 16.48 });
});

test('a parcel that arrives while a bank decides is with the buyer when the bank takes the price back', async () => {
  const sale = await sell({ card: DISPUTED_CARD });
  await buy(sale);
  await report(sale, 'in_transit');
  const decide = await disputeSales(shop);
  await report(sale, 'delivered');
  await decide(sale, 'losing_evidence');
  expect(await read(sale, sale.buyer)).toMatchObject({ state: 'charged_back', laptopWithBuyer: true });
  const { rows } = await shop.connection.pool.query('select state from laptops where id = $1', [
    sale.laptopId,
  ]);
  expect(rows).toEqual([{ state: 'sold' }]);
});

test('with the setting the shop bears the labels', async () => {
  await shop.changeSettings({ shippingBorneBy: 'shop' });
  const sale = await sell();
  // The seller does not pay it, and so does not choose a dearer one.
  expect((await quote(sale)).rates).toMatchObject([{ service: 'Ground', price: 16.48 }]);
  await buy(sale);
  expect(await refusalOf(quote(await sell({ price: 11 })))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('is more than the $11.00 that are left of the price. Nothing was bought'),
  });
  await shop.changeSettings({ shippingBorneBy: 'seller' });
  await report(sale, 'delivered');
  expect(await read(sale, sale.seller)).toMatchObject({ labels: 0, proceeds: 549.99 });
  expect(await ledgerOf(sale, 'shipping')).toBe(1_648);
  expect((await admin.client.call(readShopMoney, {})).shippingCents).toBeGreaterThanOrEqual(1_648);
});

test('a wrong address is refused with its field, before anything is bought', async () => {
  const sale = await sell();
  expect(await refusalOf(quote(sale, { line1: 'Unknown Street' }))).toMatchObject({
    code: 'invalid_input',
    errors: ['sender.line1'],
  });
  expect(await refusalOf(quote(sale, { postalCode: '94107-99' }))).toMatchObject({
    errors: ['sender.postalCode'],
  });
  expect(await refusalOf(quote(sale, { country: 'PT', postalCode: '1000-001' }))).toMatchObject({
    errors: ['sender.country'],
  });
  expect(await refusalOf(quote(sale, { name: 'سامي البائع' }))).toMatchObject({
    code: 'invalid_input',
    errors: ['sender.name'],
    detail: 'Carriers print Latin letters only. Nothing was bought; please write the name in them.',
  });
  expect(await refusalOf(quote(sale, { name: 'Sam '.repeat(75) }))).toMatchObject({
    errors: ['sender.name'],
  });
  expect(await refusalOf(quote(sale, { phone: '4'.repeat(300) }))).toMatchObject({
    errors: ['sender.phone'],
  });
  expect(await refusalOf(quote(sale, { phone: '+1 415 555' }))).toMatchObject({
    code: 'invalid_input',
    errors: ['sender.phone'],
    detail: expect.stringContaining('too few digits'),
  });

  const foreign = await sell({ address: { ...sampleAddress, name: 'ביאטריס' } });
  const refused = await refusalOf(quote(foreign));
  expect(refused.code).toBe('label_refused');
  expect(refused.detail).not.toContain('ביאטריס');
  expect(refused.detail).toContain('The name in the other address uses other letters.');
  const nowhere = await sell({ address: { ...sampleAddress, line1: '1 Unknown Street' } });
  expect((await refusalOf(quote(nowhere))).detail).toContain('Address not found');
  // The longest name that an address takes is printed whole.
  const long = await sell({ address: { ...sampleAddress, name: 'Maximiliana '.repeat(8).trim() } });
  const { _id } = await buy(long);
  expect((await long.seller.client.call(printLabels, { body: { paper: '4x6', label: _id } })).labels).toBe(1);
  // A price is not the buyer's to choose, and holds for its label only.
  const { _id: label, rates } = await quote(sale);
  const bid = (rate: string, price: number) =>
    sale.seller.client.call(buyLabel, { params: { _id: label }, body: { rate, price } });
  expect(await refusalOf(bid(rates[0]?._id ?? '', 1))).toMatchObject({ code: 'price_differs' });
  expect(await refusalOf(bid('rate_of_another', rates[0]?.price ?? 0))).toMatchObject({
    code: 'price_differs',
  });
  const { seller: stranger } = await sell();
  expect(await refusalOf(stranger.client.call(voidLabel, { params: { _id } }))).toMatchObject({
    code: 'not_found',
  });
  expect(
    await refusalOf(stranger.client.call(printLabels, { body: { paper: '4x6', label: _id } })),
  ).toMatchObject({ code: 'label_refused' });
});

test('several labels are printed together, two on a sheet of A4', async () => {
  const seller = await shop.seller();
  const sales = [await sell({ seller }), await sell({ seller }), await sell({ seller })];
  for (const sale of sales) await buy(sale);
  const { labels: printed, pdf } = await seller.client.call(printLabels, { body: { paper: 'A4' } });
  expect(printed).toBe(3);
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(2);
  expect(await refusalOf(seller.client.call(printLabels, { body: { paper: 'A4' } }))).toMatchObject({
    code: 'label_refused',
  });
});

test('the carrier’s report agrees with the labels, and each difference is said', async () => {
  const text = await fake.invoice();
  expect(await invoiceDifferences(shop.connection.database, parseInvoice(text))).toEqual([]);
  const sale = await sell();
  await buy(sale);
  const { id } = await shipmentOf(sale);
  const [line] = parseInvoice(await fake.invoice()).filter(({ shipmentId }) => shipmentId === id);
  if (line === undefined) throw new Error('The report lacks the label.');
  const changed = { ...line, amountCents: 1_700, isRefunded: true, trackingNumber: '1Z0' };
  expect(await invoiceDifferences(shop.connection.database, [changed])).toHaveLength(3);
  expect(
    await invoiceDifferences(shop.connection.database, [{ ...line, shipmentId: 'shp_elsewhere' }]),
  ).toEqual([expect.stringContaining('is no label that this shop bought')]);
  expect(await recordCarrierPayment(shop.connection.database, 'INV-1', 1_648)).toBe(true);
  expect(await recordCarrierPayment(shop.connection.database, 'INV-1', 1_648)).toBe(false);
});

test('a seller reads what a label costs before listing, by the size of the laptop', async () => {
  const seller = await shop.seller();
  const read = (country: string) => seller.client.call(readShippingEstimates, { query: { country } });
  const { sizes, insurance, leastInsurance } = await read('US');
  expect(sizes).toEqual([
    { upTo: 14.5, price: 9.72 },
    { upTo: 16.5, price: 10.98 },
    { upTo: 21, price: 13.02 },
  ]);
  expect([insurance, leastInsurance]).toEqual([1, 1]);
  // Nothing is asked about it: its price is shown at the purchase.
  expect(await read('PT')).toMatchObject({ hasLabels: true, sizes: [] });
});

test('a parcel that turned back is not delivered when it arrives at its sender', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  await report(sale, 'return_to_sender');
  await fake.sendEvent('tracker.updated', (await shipmentOf(sale)).tracker ?? {});
  await report(sale, 'delivered');
  const returned = shop.mails.filter(({ subject }) => subject.startsWith('The carrier returns the parcel'));
  expect(returned.map(({ to }) => to).sort()).toEqual([sale.buyer.email, sale.seller.email].sort());
  expect(await read(sale, sale.seller)).toMatchObject({
    state: 'shipped',
    moves: expect.arrayContaining(['take_back', 'send_again']),
  });
});

test.each([
  ['arrives', (sale: Sale) => report(sale, 'delivered'), 100],
  [
    'came back to its seller',
    (sale: Sale) =>
      sale.seller.client.call(reportParcel, {
        params: params(sale),
        body: { move: 'take_back', text: 'It came back.' },
      }),
    0,
  ],
  ['came back and is sent again', sendAgain, 0],
])(
  'a parcel that %s after the insurance paid is listed until what it leaves is recorded',
  async (_title, find, left) => {
    const sale = await sell();
    const { _id } = await buy(sale);
    await report(sale, 'in_transit');
    await report(sale, 'failure');
    expect(await claimOf(_id)).toMatchObject({ paid: 0 });
    await settleTo(_id, 549.99);
    expect(await claimOf(_id)).toBeUndefined();
    expect(await refusalOf(settleTo(_id, 0))).toMatchObject({ code: 'not_found' });
    const before = await ledgerOf(sale, 'payable');
    await find(sale);
    const charged = (await ledgerOf(sale, 'payable')) - before;
    expect(await claimOf(_id)).toMatchObject({ paid: 549.99 });
    const { checks } = await admin.client.call(readHealth, {});
    expect(checks.find(({ subject }) => subject === 'carriers')).toMatchObject({ state: 'look' });
    // The page of another admin is older, and asks for what the insurance pays.
    expect(await refusalOf(settleTo(_id, 0))).toMatchObject({
      code: 'changed_elsewhere',
      detail: expect.stringContaining('Nothing was recorded now; please look at the claim again'),
    });
    expect(await claimOf(_id)).toMatchObject({ paid: 549.99 });
    expect(await refusalOf(settleTo(_id, 550, 549.99))).toMatchObject({
      errors: ['paid'],
      detail: 'Of what it paid, an insurance leaves from 0 to $549.99. Nothing was recorded.',
    });
    await settleTo(_id, left, 549.99);
    expect(await ledgerOf(sale, 'payable')).toBe(charged - left * 100);
    expect(await ledgerOf(sale, 'carrier_payable')).toBe(left * 100 - 1_648);
    // Once.
    await report(sale, 'delivered');
    expect(await claimOf(_id)).toBeUndefined();
    expect(await refusalOf(settleTo(_id, 0))).toMatchObject({ code: 'not_found' });
  },
);

test('the insurance of a lost return is claimed, until its seller has the laptop', async () => {
  const lost = await sell();
  const id = await returnWithLabel(lost);
  expect(await claimOf(id)).toBeUndefined();
  await report(lost, 'failure', 'back');
  expect(await claimOf(id)).toMatchObject({ insured: 549.99 });
  await settleTo(id, 549.99);
  expect(await ledgerOf(lost, 'carrier_payable')).toBe(54_999 - 2 * 1_648);
  const answer = { params: params(lost), body: { move: 'confirm_return' as const } };
  await lost.seller.client.call(answerAsSeller, answer);
  expect(await claimOf(id)).toMatchObject({ paid: 549.99 });
  await settleTo(id, 0, 549.99);

  // Its seller says that it has not come, or says nothing.
  for (const end of [
    (sale: Sale) =>
      sale.seller.client.call(answerAsSeller, {
        params: params(sale),
        body: { move: 'deny_return', text: 'Nothing has come.' },
      }),
    () => passDays(15),
  ]) {
    const silent = await sell();
    const label = await returnWithLabel(silent);
    await end(silent);
    expect(await claimOf(label)).toMatchObject({ paid: 0 });
  }
});

test('a return that its buyer reports before the first scan is one by the label: its cost is due, and its insurance is claimed', async () => {
  const sale = await sell();
  const id = await returnWithLabel(sale, { isScanned: false });
  const { trackingNumber = '' } = (await labels(sale, sale.buyer)).labels.find(({ _id }) => _id === id) ?? {};
  await sale.buyer.client.call(answerAsBuyer, {
    params: params(sale),
    body: { move: 'report_return', parcel: { carrier: 'UPS', trackingNumber } },
  });
  expect((await labels(sale, sale.buyer)).labels).toMatchObject([{ way: 'back', state: 'used' }]);
  await sale.seller.client.call(answerAsSeller, {
    params: params(sale),
    body: { move: 'deny_return', text: 'Nothing has come.' },
  });
  expect(await claimOf(id)).toMatchObject({ paid: 0 });
});

test('the insurance of a parcel is claimed, too, when a complaint ends the order before the clock', async () => {
  const sale = await sell();
  const { _id } = await buy(sale);
  await report(sale, 'in_transit');
  await sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind: 'not_arrived', text: 'Nothing has come.', photos: [] },
  });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  expect(await claimOf(_id)).toMatchObject({ paid: 0 });
});

test.each([
  [
    'the bank takes the price back',
    DISPUTED_CARD,
    async (sale: Sale) => (await disputeSales(shop))(sale, 'losing_evidence'),
  ],
  [
    'an admin gives it back',
    undefined,
    (sale: Sale) =>
      admin.client.call(refundOrder, {
        params: params(sale),
        body: { amount: 549.99, from: 'seller', text: 'It is lost.' },
      }),
  ],
  [
    'an operator gives it back at the card processor',
    undefined,
    (sale: Sale) => shop.cards.stripe.refunds.create({ payment_intent: sale.transactionId }),
  ],
])(
  'the insurance of a parcel under way is claimed when %s, until the parcel arrives',
  async (_title, card, end) => {
    const sale = await sell(card === undefined ? {} : { card });
    const { _id } = await buy(sale);
    await report(sale, 'in_transit');
    expect(await claimOf(_id)).toBeUndefined();
    await end(sale);
    await hearCards(shop);
    expect(['refunded', 'charged_back']).toContain((await read(sale, sale.buyer)).state);
    expect(await claimOf(_id)).toMatchObject({ paid: 0, insured: 549.99 });
    await report(sale, 'delivered');
    expect(await claimOf(_id)).toBeUndefined();
  },
);

test('the insurance of a return under way is claimed when an admin gives the price back before it arrives', async () => {
  const sale = await sell();
  const id = await returnWithLabel(sale);
  await admin.client.call(decideComplaint, {
    params: params(sale),
    body: { move: 'decide_refund', text: 'The buyer has waited for long.' },
  });
  await settle();
  const [out] = (await labels(sale)).labels;
  expect(await claimOf(out?._id ?? '')).toBeUndefined();
  expect(await claimOf(id)).toMatchObject({ paid: 0 });
  await report(sale, 'delivered', 'back');
  expect(await claimOf(id)).toBeUndefined();
});

test('a scan that arrives while a bank disputes the payment moves nothing, and counts when the shop has won', async () => {
  const [waiting, sent] = [await sell({ card: DISPUTED_CARD }), await sell({ card: DISPUTED_CARD })];
  await buy(waiting);
  await buy(sent);
  await report(sent, 'in_transit');
  const decide = await disputeSales(shop);
  await report(waiting, 'in_transit');
  await report(sent, 'delivered');
  // Not by a later look at the carrier either.
  await passDays(1);
  for (const [sale, tracking] of [
    [waiting, 'in_transit'],
    [sent, 'delivered'],
  ] as const) {
    expect((await read(sale, sale.buyer)).state).toBe('charge_disputed');
    expect((await labels(sale)).labels).toMatchObject([{ tracking }]);
    await decide(sale, 'winning_evidence');
  }
  expect((await read(waiting, waiting.buyer)).state).toBe('to_ship');
  expect((await read(sent, sent.buyer)).state).toBe('shipped');
  await passDays(2);
  await passDays(15);
  const events = async (sale: Sale) =>
    (await read(sale, sale.buyer)).timeline.map(({ event }) => event).slice(0, 5);
  expect(await events(waiting)).toEqual(['paid', 'dispute', 'win_dispute', 'collect', 'lose_parcel']);
  expect(await events(sent)).toEqual(['paid', 'collect', 'dispute', 'win_dispute', 'deliver']);
});

test('a laptop that is sent again after a failure is insured once: what came back is not lost', async () => {
  const sale = await sell();
  const first = await buy(sale);
  const { id } = await shipmentOf(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  const shown = async () => (await read(sale, sale.seller)).parcels.map(({ insurance }) => insurance);
  expect(await claimOf(first._id)).toMatchObject({ paid: 0 });
  expect(await shown()).toEqual([{ isAsked: true, paid: 0 }]);
  await sendAgain(sale);
  expect(await claimOf(first._id)).toBeUndefined();
  expect(await shown()).toEqual([undefined]);
  const second = await buy(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  await fake.report(id, 'failure');
  await settle();
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  expect(await claimOf(first._id)).toBeUndefined();
  expect(await claimOf(second._id)).toMatchObject({ paid: 0 });
  expect(await shown()).toEqual([undefined, { isAsked: true, paid: 0 }]);
});

test('a delivery that was reported during a complaint counts when the order goes on', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  await sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind: 'not_arrived', text: 'Nothing has come.', photos: [] },
  });
  await report(sale, 'delivered');
  await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'withdraw' } });
  expect((await read(sale, sale.buyer)).state).toBe('shipped');
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
});

test('a label costs no more than the sale leaves its seller', async () => {
  // 10.98 for 3,600 g, and at least 1.00 for the insurance.
  const cheap = await sell({ price: 11.5 });
  expect(await refusalOf(quote(cheap))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining(
      'costs $11.98 with its insurance, and of this sale $11.50 are left for you',
    ),
  });
  const some = await sell({ price: 12 });
  expect((await quote(some)).rates).toMatchObject([{ price: 11.98 }]);
  // The carrier has not given the price of the first label back.
  const twice = await sell({ price: 20 });
  const { _id } = await buy(twice);
  await twice.seller.client.call(voidLabel, { params: { _id } });
  await settle();
  expect((await read(twice, twice.seller)).labels).toBe(11.98);
  expect(await refusalOf(quote(twice))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('of this sale $8.02 are left for you'),
  });
  await report(twice, 'refunded');
  expect((await quote(twice)).rates[0]).toMatchObject({ price: 11.98 });
  // A part of the price goes back after the prices were shown.
  const sale = await sell({ price: 30 });
  const quoted = await quote(sale);
  await admin.client.call(refundOrder, {
    params: params(sale),
    body: { amount: 20, from: 'seller', text: 'The battery is worn out.' },
  });
  await settle();
  expect(await refusalOf(buyQuoted(sale.seller, quoted))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('of this sale $10.00 are left for you'),
  });
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(0);
});

test('no label is bought with an address that was changed meanwhile', async () => {
  const sale = await sell();
  const change = (line1: string) =>
    sale.buyer.client.call(changeAddress, { params: params(sale), body: { ...sampleAddress, line1 } });
  // After the prices were shown.
  const quoted = await quote(sale);
  await change('1300 NE Broadway');
  expect(await refusalOf(buyQuoted(sale.seller, quoted))).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('when an address changes: please ask for them again'),
  });
  // While carriers were asked.
  const ask = fake.carriers.quote;
  vi.spyOn(fake.carriers, 'quote').mockImplementationOnce(async (shipment) => {
    await change('1400 NE Broadway');
    return ask(shipment);
  });
  expect(await refusalOf(quote(sale))).toMatchObject({
    code: 'label_refused',
    detail: 'An address was changed meanwhile. Nothing was bought; please ask for the prices again.',
  });
  await buy(sale);
  expect((await shipmentOf(sale)).to_address.street1).toBe('1400 NE Broadway');
});

test('the number of an unused label to the buyer is that of no return', async () => {
  const sale = await sell();
  const { _id } = await buy(sale);
  await sale.seller.client.call(voidLabel, { params: { _id } });
  await settle();
  await report(sale, 'rejected');
  const { trackingNumber = '' } = (await labels(sale)).labels[0] ?? {};
  await buy(sale);
  await report(sale, 'delivered');
  await sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind: 'damaged', text: 'The lid is broken.', photos: [] },
  });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
  const body = { move: 'report_return' as const, parcel: { carrier: 'UPS', trackingNumber } };
  expect(
    await refusalOf(sale.buyer.client.call(answerAsBuyer, { params: params(sale), body })),
  ).toMatchObject({ code: 'invalid_input', errors: ['parcel.trackingNumber'] });
});

test('a parcel that was lost and then arrives is claimed of nobody', async () => {
  const sale = await sell();
  const { _id } = await buy(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  const isClaimed = async () => (await admin.client.call(listClaims, {})).some((claim) => claim._id === _id);
  expect(await isClaimed()).toBe(true);
  await report(sale, 'delivered');
  expect(await isClaimed()).toBe(false);
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
});

test('a claim is that of the lost parcel, and ends when the parcel turns back', async () => {
  const claimed = async (ids: readonly string[]) =>
    (await admin.client.call(listClaims, {})).map(({ _id }) => _id).filter((id) => ids.includes(id));
  const sale = await sell();
  const first = await buy(sale);
  const { id } = await shipmentOf(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  expect(await claimed([first._id])).toEqual([first._id]);
  await report(sale, 'return_to_sender');
  expect(await claimed([first._id])).toEqual([]);
  await sendAgain(sale);
  const second = await buy(sale);
  await report(sale, 'delivered');
  await fake.report(id, 'failure');
  await settle();
  expect(await claimed([first._id, second._id])).toEqual([]);

  // The lost parcel has a number of the seller's own, which nobody insured.
  const own = await sell();
  const { _id } = await buy(own);
  await report(own, 'in_transit');
  await report(own, 'available_for_pickup');
  // Nobody fetched it, and no report says that it comes back.
  await shop.connection.pool.query(`update labels set tracked_at = now() - interval '8 days' where id = $1`, [
    _id,
  ]);
  await sendAgain(own);
  await own.seller.client.call(shipParcel, {
    params: params(own),
    body: { carrier: 'UPS', trackingNumber: '1Z 777 CC3 3333' },
  });
  await passDays(15);
  expect((await read(own, own.buyer)).state).toBe('refunded');
  expect(await claimed([_id])).toEqual([]);
});

/** What the live channel tells while some work is done. */
async function toldDuring(work: () => Promise<unknown>): Promise<string[]> {
  const client = await shop.connection.pool.connect();
  try {
    const told: string[] = [];
    client.on('notification', ({ payload = '' }) => told.push(payload));
    await client.query('listen live');
    await work();
    // What was told before this answer has arrived.
    await client.query('select');
    return told;
  } finally {
    client.release(true);
  }
}

test('whatever a carrier reports of a parcel is told to the open pages of both people, and of admins who may read the order', async () => {
  const sale = await sell();
  const readers = [sale.buyer, sale.seller, admin, await shop.admin('money')].map(({ userId }) => userId);
  const other = await shop.admin('settings');
  const toldOf = async (work: () => Promise<unknown>) => {
    const told = (await toldDuring(work)).map((payload) => JSON.parse(payload));
    return told.filter(({ about, id }) => about === 'orders' && id === sale.orderId).map(({ to }) => to);
  };
  const expectTold = async (work: () => Promise<unknown>) => {
    const told = await toldOf(work);
    expect(told).toEqual(expect.arrayContaining(readers));
    expect(told).not.toContain(other.userId);
  };
  await expectTold(() => returnWithLabel(sale, { isScanned: false }));
  // The buyer is not notified of the first one, and nobody of the second.
  await expectTold(() => report(sale, 'in_transit', 'back'));
  await expectTold(() => report(sale, 'out_for_delivery', 'back'));
  expect(await toldOf(() => report(sale, 'out_for_delivery', 'back'))).toEqual([]);
});

test('lists and what waits say of a parcel what the page of its order says', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  const isOfSale = ({ order }: { order?: { _id: string } | undefined }) => order?._id === sale.orderId;
  const news = async () => {
    const ofBuyer = (await sale.buyer.client.call(listBookings, { query: {} })).find(isOfSale);
    const ofSeller = (await sale.seller.client.call(listOwnBuyers, { query: {} })).find(isOfSale);
    const pages = [await read(sale, sale.buyer), await read(sale, sale.seller), await read(sale, admin)];
    const said = new Set([ofBuyer?.order?.news, ofSeller?.order?.news, ...pages.map((page) => page.news)]);
    expect(said.size).toBe(1);
    const waiting = await sale.buyer.client.call(listWaiting, {});
    return [[...said][0], ...waiting.map(({ kind }) => kind)];
  };
  expect(await news()).toEqual([undefined, 'receive_parcel']);
  await report(sale, 'available_for_pickup');
  expect(await news()).toEqual(['available_for_pickup', 'receive_parcel']);
  await report(sale, 'failure');
  expect(await news()).toEqual(['failure']);
  await report(sale, 'return_to_sender');
  expect(await news()).toEqual(['return_to_sender']);
  await report(sale, 'in_transit');
  expect(await news()).toEqual([undefined, 'receive_parcel']);
  const due = (days: number) =>
    shop.connection.pool.query(`update orders set due_at = now() + make_interval(days => $2) where id = $1`, [
      sale.orderId,
      days,
    ]);
  await due(4);
  expect(await news()).toEqual([undefined, 'receive_parcel']);
  await due(2);
  expect(await news()).toEqual(['late', 'receive_parcel']);
  // Of a parcel that was sent again, the former one says nothing.
  await report(sale, 'return_to_sender');
  const body = { move: 'send_again', text: 'The address was wrong.' } as const;
  await sale.seller.client.call(reportParcel, { params: params(sale), body });
  const parcel = { carrier: 'UPS', trackingNumber: '1Z 999 AA1 77' };
  await sale.seller.client.call(shipParcel, { params: params(sale), body: parcel });
  expect(await news()).toEqual([undefined, 'receive_parcel']);
  await report(sale, 'failure');
  expect(await news()).toEqual([undefined, 'receive_parcel']);
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  expect(await news()).toEqual([undefined, 'look_at_laptop']);
});

test('labels that the carrier does not give out stay bought and unprinted, and that is said', async () => {
  const sale = await sell();
  await buy(sale);
  const carriers: Carriers = {
    ...fake.carriers,
    label: () => Promise.reject(new CarriersUnavailable('It does not answer.')),
  };
  const { rows } = await shop.connection.pool.query<{ seller_id: string }>(
    'select seller_id from orders where id = $1',
    [sale.orderId],
  );
  const printed = printOwn(
    { ...dependencies(), carriers },
    { userId: rows[0]?.seller_id ?? '' },
    { paper: 'A4' },
  );
  await expect(printed).rejects.toThrow('They stay bought, and none counts as printed');
  expect(await sale.seller.client.call(readPrintableLabels, {})).toMatchObject({ unprinted: 1 });
});

const complainOf = ({ buyer, orderId }: Sale, kind: 'damaged' | 'does_not_work' = 'damaged') =>
  buyer.client.call(complain, {
    params: { _id: orderId },
    body: { kind, text: 'The screen is broken.', photos: [] },
  });
const answerOf = (
  sale: Sale,
  body: { move: 'offer' | 'contest' | 'accept' | 'confirm_return'; amount?: number; isDamaged?: boolean },
) =>
  sale.seller.client.call(answerAsSeller, {
    params: params(sale),
    body: { text: 'It was whole.', photos: [], ...body },
  });
const decideOf = async (sale: Sale, move: 'decide_refund' | 'decide_release') => {
  await answerOf(sale, { move: 'contest' });
  await admin.client.call(decideComplaint, { params: params(sale), body: { move, text: 'By the photos.' } });
};

test.each([
  [
    'a part of the price goes back',
    async (sale: Sale) => {
      await answerOf(sale, { move: 'offer', amount: 100 });
      const body = { move: 'take_offer', amount: 100 } as const;
      await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body });
    },
  ],
  ['an admin decides for the buyer', (sale: Sale) => decideOf(sale, 'decide_refund')],
  [
    'the laptop has returned',
    async (sale: Sale) => {
      await answerOf(sale, { move: 'accept' });
      await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'report_return' } });
      await answerOf(sale, { move: 'confirm_return' });
    },
  ],
])(
  'a damaged parcel is claimed once %s, and what the insurance pays is the seller’s',
  async (_title, end) => {
    const sale = await sell();
    const { _id } = await buy(sale);
    await report(sale, 'in_transit');
    // It was taken for lost, and that claim becomes the other one.
    await report(sale, 'failure');
    await report(sale, 'delivered');
    await complainOf(sale);
    expect(await claimOf(_id)).toBeUndefined();
    await end(sale);
    expect(await claimOf(_id)).toMatchObject({ type: 'damage', insured: 549.99, tracking: 'delivered' });
    expect((await read(sale, sale.seller)).parcels).toMatchObject([
      { insurance: { isAsked: true, paid: 0 } },
    ]);
    const before = await ledgerOf(sale, 'payable');
    const released = async () => {
      const periods = await sale.seller.client.call(readMoneyHistory, { query: { by: 'week' } });
      return periods.at(-1)?.released ?? 0;
    };
    const releasedBefore = await released();
    await settleTo(_id, 120);
    expect((await released()) - releasedBefore).toBeCloseTo(120);
    expect((await ledgerOf(sale, 'payable')) - before).toBe(-12_000);
    expect(await claimOf(_id)).toBeUndefined();
    expect((await read(sale, sale.seller)).parcels).toMatchObject([
      { insurance: { isAsked: false, paid: 120 } },
    ]);
  },
);

test.each([
  ['is decided for the seller', 'damaged', (sale: Sale) => decideOf(sale, 'decide_release')],
  ['is about something else', 'does_not_work', (sale: Sale) => decideOf(sale, 'decide_refund')],
] as const)('no insurance is claimed when the complaint %s', async (_title, kind, end) => {
  const sale = await sell();
  const { _id } = await buy(sale);
  await report(sale, 'delivered');
  await complainOf(sale, kind);
  await end(sale);
  expect(await claimOf(_id)).toBeUndefined();
});

test.each([
  ['not_as_described', 'the return', 'back'],
  ['damaged', 'the way to the buyer, which has the damage already', 'out'],
] as const)(
  'of a return that arrived damaged after the complaint %s, %s is claimed',
  async (kind, _title, way) => {
    const sale = await sell();
    await returnWithLabel(sale, { kind });
    await report(sale, 'delivered', 'back');
    const isWithout = sale.seller.client.call(answerAsSeller, {
      params: params(sale),
      body: { move: 'confirm_return', isDamaged: true },
    });
    expect(await refusalOf(isWithout)).toMatchObject({ code: 'invalid_input', errors: ['text'] });
    expect(await refusalOf(answerOf(sale, { move: 'contest', isDamaged: true }))).toMatchObject({
      errors: ['isDamaged'],
    });
    await answerOf(sale, { move: 'confirm_return', isDamaged: true });
    const claims = (await labels(sale)).labels.map(({ _id, way: of }) => [of, claimOf(_id)] as const);
    const claimed = [];
    for (const [of, claim] of claims) claimed.push(...((await claim) === undefined ? [] : [of]));
    expect(claimed).toEqual([way]);
    expect((await read(sale, sale.seller)).state).toBe('refunded');
  },
);

test('a return that arrived whole is not claimed', async () => {
  const sale = await sell();
  const label = await returnWithLabel(sale);
  await report(sale, 'delivered', 'back');
  await answerOf(sale, { move: 'confirm_return' });
  expect(await claimOf(label)).toBeUndefined();
});
