// Labels that were bought: from the carrier’s reports to the order and the money.

import { expect, test } from 'vitest';
import { listOwnSales, readOwnMoney } from '#contract/money/payouts.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import { listBookings, listOwnBuyers } from '#contract/sales/bookings.ts';
import { answerAsBuyer, answerAsSeller, cancelSale } from '#contract/sales/complaints.ts';
import { buyLabel, printLabels, readPrintableLabels, voidLabel } from '#contract/sales/labels.ts';
import { confirmOrder, refundOrder } from '#contract/sales/orders.ts';
import { changeAddress, receiveParcel, reportParcel, shipParcel } from '#contract/sales/shipping.ts';
import { onboardedSeller } from '#tests/harness/money/connected-seller.ts';
import type { Person } from '#tests/harness/operations/shop.ts';
import { DISPUTED_CARD, disputeSales } from '#tests/harness/sales/disputed-sale.ts';
import { refusalOf, setUpLabelShop } from '#tests/harness/sales/label-shop.ts';
import { type Sale, sampleAddress } from '#tests/harness/sales/sold-laptop.ts';
import { type Carriers, CarriersRefusal, CarriersUnavailable } from './carriers.ts';
import { followLabel } from './follow-labels.ts';

const labelShop = setUpLabelShop();
const {
  sell,
  params,
  read,
  labels,
  quote,
  take,
  buy,
  returnWithLabel,
  shipmentOf,
  dependencies,
  claimOf,
  report,
  passDays,
  ledgerOf,
  waitForJobs,
  complainAbout,
  accept,
} = labelShop;

test('a label is bought, printed and tracked to the payout, which is the price less the label', async () => {
  const sale = await sell();
  expect(await labels(sale)).toEqual({
    ...{ offered: 'out', takesReturnAddress: false, borneBy: 'seller', sender: null, labels: [] },
  });
  const { rates, insured, borneBy } = await quote(sale);
  expect({ insured, borneBy }).toEqual({ insured: 549.99, borneBy: 'seller' });
  // 3,600 g are 8 pounds; the insurance costs 1 %.
  expect(rates[0]).toMatchObject({ carrier: 'UPS', service: 'Ground', price: 16.48, days: 3 });
  const _id = await buy(sale);
  const [label] = (await labels(sale)).labels;
  expect(label).toMatchObject({ state: 'bought', carrier: 'UPS', price: 16.48, tracking: 'unknown' });
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(-1_648);
  expect(await ledgerOf(sale, 'label_advances')).toBe(1_648);
  expect(await sale.seller.client.call(readPrintableLabels, {})).toMatchObject({ unprinted: 1 });
  expect(await labels(sale, sale.buyer)).toMatchObject({ labels: [] });

  await sale.seller.client.call(printLabels, { body: { paper: '4x6', label: _id } });
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
    fetch(`${labelShop.shop.origin}/webhooks/easypost`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hmac-signature': signature },
      body,
    });
  expect((await post(`hmac-sha256-hex=${'0'.repeat(64)}`)).status).toBe(400);
  expect((await post('')).status).toBe(400);
  // A signed event says only that something happened: the shop reads what.
  expect(await labelShop.fake.sendEvent('tracker.updated', { ...tracker, status: 'delivered' })).toBe(200);
  expect(
    await labelShop.fake.sendEvent('tracker.updated', {
      id: 'trk_1',
      shipment_id: 'shp_of_another_shop',
      status: 'delivered',
    }),
  ).toBe(200);
  expect(await labelShop.fake.sendEvent('batch.updated', { id: 'batch_1' })).toBe(200);
  await waitForJobs();
  expect((await read(sale, sale.buyer)).state).toBe('to_ship');

  // Delivered without an event in between, and the former ones afterwards.
  await report(sale, 'delivered');
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
  const { tracker: delivered } = await shipmentOf(sale);
  for (const status of ['in_transit', 'pre_transit', 'delivered']) {
    await labelShop.fake.sendEvent('tracker.updated', { ...delivered, shipment_id: id, status });
  }
  await waitForJobs();
  await report(sale, 'in_transit');
  const order = await read(sale, sale.buyer);
  expect(order.state).toBe('delivered');
  expect(order.timeline.map(({ event }) => event)).toEqual(['paid', 'collect', 'deliver']);
});

test('without events the shop asks the carrier itself', async () => {
  const sale = await sell();
  await buy(sale);
  const { id } = await shipmentOf(sale);
  const stored = (await labelShop.fake.shipments()).find((each) => each.id === id);
  expect(stored?.tracker?.status).toBe('unknown');
  await labelShop.shop.connection.pool.query(
    'update labels set next_check_at = null where shipment_id <> $1',
    [id],
  );
  // The events of this parcel are lost: the job that they enqueue is removed.
  await labelShop.fake.report(id, 'in_transit');
  await waitForJobs();
  await passDays(1);
  expect((await read(sale, sale.buyer)).state).toBe('shipped');
});

/** What a seller owes, and how the sale stands on the Money page and on the order's. */
async function moneyOf(sale: Sale) {
  const { client } = sale.seller;
  const [shown] = await client.call(listOwnSales, { query: {} });
  const { owed } = await client.call(readOwnMoney, {});
  expect(shown?.proceeds).toBe((await read(sale, sale.seller)).proceeds);
  return { owed, sale: shown };
}

test('an unused label is given back: by its seller, when the sale ends, when the address changes, for a label of one’s own', async () => {
  const byHand = await sell();
  const _id = await buy(byHand);
  await byHand.seller.client.call(voidLabel, { params: { _id } });
  expect(await byHand.seller.client.call(voidLabel, { params: { _id } })).toMatchObject({ modifiedCount: 0 });
  await waitForJobs();
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
  expect(await moneyOf(cancelled)).toMatchObject({ owed: 0, sale: { labels: 0, proceeds: 0 } });
  // The carrier keeps the money: the seller pays, whose sale has ended, and owes it.
  await report(cancelled, 'rejected');
  expect((await labels(cancelled)).labels).toMatchObject([{ state: 'kept' }]);
  expect(await ledgerOf(cancelled, 'payable')).toBe(1_648);
  expect(await moneyOf(cancelled)).toMatchObject({ owed: 16.48, sale: { labels: 16.48, proceeds: -16.48 } });

  const moved = await sell();
  await buy(moved);
  await moved.buyer.client.call(changeAddress, {
    params: params(moved),
    body: { ...sampleAddress, line1: '1300 NE Broadway' },
  });
  await waitForJobs();
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
  await waitForJobs();
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
    await labelShop.shop.connection.pool.query(
      `update labels set state = 'buying', rate_id = $2 where id = $1`,
      [_id, rates[0]?._id],
    );
    const carriers: Carriers = {
      ...labelShop.fake.carriers,
      async buy(...purchase) {
        await sale.seller.client.call(voidLabel, { params: { _id } });
        await waitForJobs();
        expect((await last())?.state).toBe('voided');
        return finish(() => labelShop.fake.carriers.buy(...purchase));
      },
    };
    await followLabel({ ...dependencies(), carriers }, _id);
    await waitForJobs();
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

test('the laptop of a complaint returns with a label, which the buyer prints and the seller bears', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'delivered');
  await complainAbout(sale, 'not_as_described');
  await accept(sale);
  expect(await labels(sale, sale.buyer)).toMatchObject({ offered: 'back', sender: null, labels: [] });
  expect(await labels(sale)).toMatchObject({ offered: null });
  const { _id, rates } = await quote(sale, {}, 'back');
  expect(rates).toHaveLength(1);
  const body = { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 };
  expect(await refusalOf(sale.seller.client.call(buyLabel, { params: { _id }, body }))).toMatchObject({
    code: 'not_found',
  });
  await sale.buyer.client.call(buyLabel, { params: { _id }, body });
  await waitForJobs();
  const { pdf } = await sale.buyer.client.call(printLabels, { body: { paper: 'A4', label: _id } });
  expect(pdf.length).toBeGreaterThan(1_000);
  // A label is printed and given back only by the person who bought it.
  const ownWays = async (person: Person) =>
    (await labels(sale, person)).labels.map(({ way, isOwn }) => `${way} ${isOwn}`);
  expect(await ownWays(sale.buyer)).toEqual(['back true']);
  expect(await ownWays(sale.seller)).toEqual(['out true', 'back false']);
  expect(await ownWays(labelShop.admin)).toEqual(['out false', 'back false']);
  await report(sale, 'in_transit', 'back');
  expect(await read(sale, sale.seller)).toMatchObject({
    state: 'return_reported',
    laptopWithBuyer: false,
    parcels: [{ way: 'out' }, { way: 'back' }],
  });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  expect(await ledgerOf(sale, 'payable')).toBe(2 * 1_648);
  // It arrived whole.
  expect(await claimOf(_id)).toBeUndefined();
});

test('a refund waits for no label: the seller owes it, and got no money for the sale', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'delivered');
  await sale.buyer.client.call(confirmOrder, { params: params(sale) });
  await complainAbout(sale, 'does_not_work');
  await accept(sale);
  await take(sale.buyer, await quote(sale, {}, 'back'));
  await waitForJobs();
  await report(sale, 'in_transit', 'back');
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
  await waitForJobs();
  expect((await read(sale, sale.buyer)).refunds).toMatchObject([{ amount: 549.99, state: 'done' }]);
  expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0, owed: 32.96 });
});

test('after a payout a refund waits for what the seller got, and not for the label', async () => {
  await labelShop.shop.cards.topUp(1_000_000);
  await labelShop.shop.cards.settleFunds();
  const sale = await sell({ seller: await onboardedSeller(labelShop.shop) });
  await buy(sale);
  await report(sale, 'delivered');
  await passDays(15);
  await labelShop.shop.runPayouts();
  expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0, paid: 533.51 });
  await labelShop.shop.cards.settleFunds();
  const refunds = async () =>
    (await read(sale, sale.buyer)).refunds.map(({ amount, state }) => [amount, state]).sort();
  const refund = (amount: number) =>
    labelShop.admin.client.call(refundOrder, {
      params: params(sale),
      body: { amount, from: 'seller', text: 'The battery is worn out.' },
    });
  // The rest of the sale still pays the label: the seller got the whole part.
  await refund(100);
  await waitForJobs();
  expect(await refunds()).toEqual([[100, 'waiting']]);
  await labelShop.shop.runPayouts();
  await refund(449.99);
  await waitForJobs();
  expect(await refunds()).toEqual([
    [100, 'done'],
    [16.48, 'done'],
    [433.51, 'waiting'],
  ]);
  await labelShop.shop.runPayouts();
  await waitForJobs();
  expect((await refunds()).map(([, state]) => state)).toEqual(['done', 'done', 'done']);
  expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0, owed: 16.48 });
});

test('a parcel that arrives while a bank decides is with the buyer when the bank takes the price back', async () => {
  const sale = await sell({ card: DISPUTED_CARD });
  await buy(sale);
  await report(sale, 'in_transit');
  const decide = await disputeSales(labelShop.shop);
  await report(sale, 'delivered');
  await decide(sale, 'losing_evidence');
  expect(await read(sale, sale.buyer)).toMatchObject({ state: 'charged_back', laptopWithBuyer: true });
  const { rows } = await labelShop.shop.connection.pool.query('select state from laptops where id = $1', [
    sale.laptopId,
  ]);
  expect(rows).toEqual([{ state: 'sold' }]);
});

test('a parcel that turned back is not delivered when it arrives at its sender', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  await report(sale, 'return_to_sender');
  await labelShop.fake.sendEvent('tracker.updated', (await shipmentOf(sale)).tracker ?? {});
  await report(sale, 'delivered');
  const returned = labelShop.shop.mails.filter(({ subject }) =>
    subject.startsWith('The carrier returns the parcel'),
  );
  expect(returned.map(({ to }) => to).sort()).toEqual([sale.buyer.email, sale.seller.email].sort());
  expect(await read(sale, sale.seller)).toMatchObject({
    state: 'shipped',
    moves: expect.arrayContaining(['take_back', 'send_again']),
  });
});

test('a scan that arrives while a bank disputes the payment moves nothing, and counts when the shop has won', async () => {
  const [waiting, sent] = [await sell({ card: DISPUTED_CARD }), await sell({ card: DISPUTED_CARD })];
  await buy(waiting);
  await buy(sent);
  await report(sent, 'in_transit');
  const decide = await disputeSales(labelShop.shop);
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

test('a delivery that was reported during a complaint counts when the order goes on', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  await complainAbout(sale, 'not_arrived');
  await report(sale, 'delivered');
  await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'withdraw' } });
  expect((await read(sale, sale.buyer)).state).toBe('shipped');
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
});

test('the number of an unused label to the buyer is that of no return', async () => {
  const sale = await sell();
  const _id = await buy(sale);
  await sale.seller.client.call(voidLabel, { params: { _id } });
  await waitForJobs();
  await report(sale, 'rejected');
  const { trackingNumber = '' } = (await labels(sale)).labels[0] ?? {};
  await buy(sale);
  await report(sale, 'delivered');
  await complainAbout(sale, 'damaged');
  await accept(sale);
  const body = { move: 'report_return' as const, parcel: { carrier: 'UPS', trackingNumber } };
  expect(
    await refusalOf(sale.buyer.client.call(answerAsBuyer, { params: params(sale), body })),
  ).toMatchObject({ code: 'invalid_input', errors: ['parcel.trackingNumber'] });
});

/** What the live channel tells while some work is done. */
async function toldDuring(work: () => Promise<unknown>): Promise<string[]> {
  const client = await labelShop.shop.connection.pool.connect();
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
  const readers = [sale.buyer, sale.seller, labelShop.admin, await labelShop.shop.admin('money')].map(
    ({ userId }) => userId,
  );
  const other = await labelShop.shop.admin('settings');
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
    const pages = [
      await read(sale, sale.buyer),
      await read(sale, sale.seller),
      await read(sale, labelShop.admin),
    ];
    const said = new Set([ofBuyer?.order?.news, ofSeller?.order?.news, ...pages.map((page) => page.news)]);
    expect(said.size).toBe(1);
    const waiting = await sale.buyer.client.call(listToDo, {});
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
    labelShop.shop.connection.pool.query(
      `update orders set due_at = now() + make_interval(days => $2) where id = $1`,
      [sale.orderId, days],
    );
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
