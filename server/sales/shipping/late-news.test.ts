// What carriers report when an order has gone on without them: parcels that arrive, turn back or are scanned too late.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { answerAsBuyer, answerAsSeller, complain } from '#contract/sales/complaints.ts';
import {
  buyLabel,
  listOrderLabels,
  printLabels,
  quoteLabel,
  setReturnAddress,
  voidLabel,
} from '#contract/sales/labels.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { listLateParcels, receiveParcel, shipParcel } from '#contract/sales/shipping.ts';
import { createDatabaseMetrics } from '#server/operations/metrics/database-metrics.ts';
import { runComplaintClocks } from '#server/sales/complaints/clocks.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sampleSender, startTestCarriers, type TestCarriers, verify } from '#tests/harness/sales/carriers.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { runParcelClocks } from './actions.ts';
import { followLabels } from './follow-labels.ts';
import { lateArrivalOf, troubleOf } from './label-rules.ts';

const DAY_MS = 24 * 3_600_000;
let shop: TestShop;
let admin: Person;
let fake: TestCarriers;

beforeAll(async () => {
  shop = await startTestShop({
    runsTasks: false,
    dependencies: async (context) => {
      fake = await startTestCarriers(context);
      return { carriers: fake.carriers };
    },
  });
  admin = await shop.admin();
});
afterAll(async () => {
  await settle();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await shop.close();
  await fake.close();
});

const settle = () => waitForEmptyQueue(shop.connection.pool);
async function sell(): Promise<Sale> {
  const sale = await sellLaptop(shop, { address: sampleAddress });
  await verify(shop, sale.seller);
  return sale;
}
const params = ({ orderId }: Sale) => ({ _id: orderId });
const read = (sale: Sale, person = sale.buyer) => person.client.call(readOrder, { params: params(sale) });
const labels = (sale: Sale, person = sale.seller) =>
  person.client.call(listOrderLabels, { params: params(sale) });

/** Buys the cheapest label: of the seller to the buyer, or of the buyer back. @returns its id */
async function buy(sale: Sale, way: 'out' | 'back' = 'out'): Promise<string> {
  const { client } = way === 'out' ? sale.seller : sale.buyer;
  const body = way === 'out' ? { sender: sampleSender } : {};
  const { _id, rates } = await client.call(quoteLabel, { params: params(sale), body });
  const [rate] = rates;
  if (rate === undefined) throw new Error('There is no rate.');
  await client.call(buyLabel, { params: { _id }, body: { rate: rate._id, price: rate.price } });
  await settle();
  return _id;
}

const print = ({ client }: Person, label: string) =>
  client.call(printLabels, { body: { paper: 'A4', label } });

async function report(sale: Sale, status: Parameters<TestCarriers['report']>[1], way?: 'out' | 'back') {
  await fake.report((await fake.shipmentOf(sale.orderId, way)).id, status);
  await settle();
}

/** Runs the clocks as if some days had passed. */
async function passDays(days: number): Promise<void> {
  const now = new Date(Date.now() + days * DAY_MS);
  const dependencies = { database: shop.connection.database, enqueue: shop.enqueue };
  await moveOverdueOrders(dependencies, now);
  await runComplaintClocks(dependencies, now);
  await runParcelClocks({ ...dependencies, cache: { waitForInvalidation: async () => undefined } }, now);
  const carriers = { carriers: fake.carriers, shop: () => ({ shippingBorneBy: 'seller' }) as const };
  await followLabels({ ...dependencies, ...carriers }, now);
  await settle();
}

const complainAbout = (sale: Sale, kind: 'not_as_described' | 'not_arrived') =>
  sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind, text: 'It is not right.', photos: [] },
  });
const accept = (sale: Sale) =>
  sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });

/** Sells a laptop that its buyer has to return, with a label of the shop to the buyer or with the seller's own. */
async function sellAndReturn({ isOwnLabel = false } = {}): Promise<Sale> {
  const sale = await sell();
  if (isOwnLabel) {
    const body = { carrier: 'UPS', trackingNumber: `1Z${sale.orderId.replaceAll('-', '').slice(0, 12)}` };
    await sale.seller.client.call(shipParcel, { params: params(sale), body });
    await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  } else {
    await buy(sale);
    await report(sale, 'delivered');
  }
  await complainAbout(sale, 'not_as_described');
  await accept(sale);
  await settle();
  expect((await read(sale)).state).toBe('awaiting_return');
  return sale;
}

/** The people of a sale who got an email with a subject. */
const toldOf = (sale: Sale, subject: string) => {
  const people = { buyer: sale.buyer, seller: sale.seller, admin };
  const told = shop.mails.filter((mail) => mail.subject.startsWith(subject)).map(({ to }) => to);
  return Object.entries(people).flatMap(([role, { email }]) => (told.includes(email) ? role : []));
};
const forget = () => shop.mails.splice(0);
const listed = async (sale: Sale) =>
  (await admin.client.call(listLateParcels, { query: { limit: 100 } })).find(
    ({ _id }) => _id === sale.orderId,
  );
const ledgerOf = async (sale: Sale, account: string): Promise<number> => {
  const { rows } = await shop.connection.pool.query<{ cents: number }>(
    'select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where order_id = $1 and account = $2',
    [sale.orderId, account],
  );
  return rows[0]?.cents ?? 0;
};

test.each([
  [
    'counted as lost',
    async (sale: Sale) => {
      await report(sale, 'in_transit');
      await passDays(15);
    },
  ],
  ['was not scanned in time', (sale: Sale) => passDays(6).then(() => expect(sale).toBeDefined())],
  [
    'was complained about, and its seller did not answer',
    async (sale: Sale) => {
      await report(sale, 'in_transit');
      await complainAbout(sale, 'not_arrived');
      await passDays(6);
    },
  ],
])(
  'a parcel that %s and then arrives is told to all, and listed until it is offered again',
  async (_title, refund) => {
    const sale = await sell();
    await buy(sale);
    await refund(sale);
    expect(await read(sale)).toMatchObject({ state: 'refunded', laptopWithBuyer: false });
    forget();
    await report(sale, 'delivered');
    const subject = 'A parcel arrived after its price went back';
    expect(toldOf(sale, subject)).toEqual(['buyer', 'seller', 'admin']);
    expect(await listed(sale)).toMatchObject({ state: 'arrived_late', dueAt: null });
    expect((await read(sale)).timeline.at(-1)).toMatchObject({ event: 'arrive_late', by: 'carrier' });
    // Once.
    forget();
    await report(sale, 'delivered');
    expect(toldOf(sale, subject)).toEqual([]);
    await shop.connection.pool.query(`update laptops set state = 'available' where id = $1`, [sale.laptopId]);
    expect(await listed(sale)).toBeUndefined();
  },
);

test('a parcel that its seller has again arrives at nobody', async () => {
  const sale = await sellAndReturn();
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
  await report(sale, 'in_transit');
  await report(sale, 'delivered');
  expect(toldOf(sale, 'A parcel arrived after')).toEqual([]);
  expect(await listed(sale)).toBeUndefined();
});

test('a parcel with a printed label is waited for three days more, once, before the price goes back', async () => {
  const sale = await sell();
  const label = await buy(sale);
  await print(sale.seller, label);
  await passDays(6);
  expect((await read(sale)).state).toBe('to_ship');
  forget();
  await passDays(6.1);
  // The new deadline has a reminder of its own.
  expect(toldOf(sale, 'Please send')).toEqual(['seller']);
  await report(sale, 'in_transit');
  expect((await read(sale)).state).toBe('shipped');

  const never = await sell();
  await print(never.seller, await buy(never));
  await passDays(6);
  await passDays(8.5);
  expect((await read(never)).state).toBe('to_ship');
  await passDays(9.5);
  expect((await read(never)).state).toBe('refunded');
});

test('a return with a printed label is waited for three days more, once, before its deadline counts', async () => {
  const sale = await sellAndReturn();
  await print(sale.buyer, await buy(sale, 'back'));
  await passDays(15);
  expect((await read(sale)).state).toBe('awaiting_return');
  await report(sale, 'in_transit', 'back');
  expect((await read(sale)).state).toBe('return_reported');

  const never = await sellAndReturn();
  await print(never.buyer, await buy(never, 'back'));
  await passDays(15);
  await passDays(17.5);
  expect((await read(never)).state).toBe('awaiting_return');
  await passDays(18.5);
  expect((await read(never)).state).toBe('released');
  // What arrives now is the seller's, with the money.
  forget();
  await report(never, 'delivered', 'back');
  expect(toldOf(never, 'A return arrived after its deadline')).toEqual(['buyer', 'seller', 'admin']);
  expect(await listed(never)).toMatchObject({ state: 'arrived_late' });
});

test('a return that turns back to its buyer gives no price back: an admin decides', async () => {
  const sale = await sellAndReturn();
  await buy(sale, 'back');
  await report(sale, 'in_transit', 'back');
  forget();
  await report(sale, 'return_to_sender', 'back');
  expect(await read(sale)).toMatchObject({ state: 'contested', laptopWithBuyer: true });
  expect(toldOf(sale, 'The return goes back')).toEqual(['buyer', 'seller']);
  expect(toldOf(sale, 'A return goes back to its buyer')).toEqual(['admin']);
  // Nobody decides: it returns again, with another label.
  await passDays(15);
  expect((await read(sale)).state).toBe('awaiting_return');
  await buy(sale, 'back');
  await report(sale, 'delivered', 'back');
  expect(await read(sale)).toMatchObject({ state: 'return_reported', laptopWithBuyer: false });
});

test('both are told of a return that the carrier cannot deliver', async () => {
  const sale = await sellAndReturn();
  await buy(sale, 'back');
  await report(sale, 'in_transit', 'back');
  forget();
  await report(sale, 'failure', 'back');
  expect(toldOf(sale, 'The carrier cannot deliver the return')).toEqual(['buyer', 'seller']);
  expect((await read(sale)).state).toBe('return_reported');
});

test('after a label of the seller’s own, the buyer gets a return label once the seller has said to where', async () => {
  const sale = await sellAndReturn({ isOwnLabel: true });
  const none = { offered: null, takesReturnAddress: true, sender: null };
  expect(await labels(sale, sale.buyer)).toMatchObject(none);
  expect(await labels(sale)).toMatchObject(none);
  const save = (person: Person, changes: Partial<typeof sampleSender> = {}) =>
    person.client.call(setReturnAddress, {
      params: params(sale),
      body: { sender: { ...sampleSender, ...changes } },
    });
  const refusal = async (work: Promise<unknown>) => {
    const error = await work.catch((reason: unknown) => reason);
    if (!(error instanceof Problem)) throw new Error('It was not refused.');
    return [error.code, ...Object.keys(error.errors)];
  };
  expect(await refusal(save(sale.seller, { region: 'PR' }))).toEqual(['invalid_input', 'sender.region']);
  expect(await refusal(save(sale.seller, { phone: '1' }))).toEqual(['invalid_input', 'sender.phone']);
  expect((await refusal(save(await shop.seller())))[0]).toBe('not_found');
  await save(sale.seller);
  await settle();
  expect(toldOf(sale, 'You can get a return label')).toEqual(['buyer']);
  expect(await labels(sale, sale.buyer)).toMatchObject({ offered: 'back', takesReturnAddress: false });
  await buy(sale, 'back');
  expect((await fake.shipmentOf(sale.orderId, 'back')).to_address.street1).toBe(sampleAddress.line1);
  // A label would lead to the former address.
  expect((await refusal(save(sale.seller)))[0]).toBe('label_refused');
  await report(sale, 'in_transit', 'back');
  expect((await refusal(save(sale.seller)))[0]).toBe('order_moved');
});

test('a parcel at a pickup point is told to its buyer, and is not lost while it waits there', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  forget();
  await report(sale, 'available_for_pickup');
  expect(toldOf(sale, 'Your parcel waits at a pickup point')).toEqual(['buyer']);
  await passDays(15);
  await passDays(19);
  expect((await read(sale)).state).toBe('shipped');
  // Whatever the carrier says or omits, the wait ends.
  await passDays(31);
  expect((await read(sale)).state).toBe('refunded');
});

test('a label that costs nothing before its first scan is given back without a charge, and is used until then', async () => {
  const sale = await sell();
  const unused = await buy(sale);
  await sale.seller.client.call(voidLabel, { params: { _id: unused } });
  await settle();
  await report(sale, 'not_applicable');
  expect((await labels(sale)).labels).toMatchObject([{ state: 'voiding' }]);
  const age = (id: string) =>
    shop.connection.pool.query(`update labels set bought_at = now() - interval '31 days' where id = $1`, [
      id,
    ]);
  await age(unused);
  await passDays(1);
  expect((await labels(sale)).labels).toMatchObject([{ state: 'voided' }]);
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(0);

  // It was on the parcel nevertheless: the carrier bills it.
  const used = await sell();
  await used.seller.client.call(voidLabel, { params: { _id: await buy(used) } });
  await settle();
  await report(used, 'not_applicable');
  await report(used, 'in_transit');
  expect((await labels(used)).labels).toMatchObject([{ state: 'used' }]);
  expect((await read(used)).state).toBe('shipped');
  expect(await ledgerOf(used, 'carrier_payable')).toBe(-1_648);
});

test('a label that the carrier did not take back is followed: the parcel can be under way with it', async () => {
  const sale = await sell();
  await sale.seller.client.call(voidLabel, { params: { _id: await buy(sale) } });
  await settle();
  await report(sale, 'rejected');
  expect((await labels(sale)).labels).toMatchObject([{ state: 'kept' }]);
  await report(sale, 'in_transit');
  expect(await read(sale)).toMatchObject({ state: 'shipped', parcels: [{ way: 'out' }] });
  await report(sale, 'delivered');
  expect((await read(sale)).state).toBe('delivered');
  await passDays(15);
  expect(await ledgerOf(sale, 'label_advances')).toBe(0);
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(-1_648);
});

test('no clock gives the price of a parcel back that its carrier reports as delivered', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'delivered');
  await complainAbout(sale, 'not_arrived');
  forget();
  await passDays(6);
  expect((await read(sale)).state).toBe('contested');
  expect((await read(sale)).timeline.at(-1)).toMatchObject({ event: 'contest_late', by: 'clock' });
  expect(toldOf(sale, 'A complaint about')).toEqual(['admin']);
  for (const days of [15, 18, 30]) {
    forget();
    await passDays(days);
    await passDays(days + 1.5);
    expect((await read(sale)).state).toBe('contested');
    expect(toldOf(sale, 'Your answer about')).toEqual(['admin']);
  }
  // Without such a report it goes back, as before.
  const lost = await sell();
  await buy(lost);
  await report(lost, 'in_transit');
  await complainAbout(lost, 'not_arrived');
  await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'withdraw' } });
  await passDays(6);
  expect((await read(lost)).state).toBe('refunded');
});

test('the metric of claims counts those of the desk: a parcel that was found is none', async () => {
  const claims = async () => {
    const counts = await createDatabaseMetrics(shop.connection).labels();
    return counts.find(({ labels: { state } }) => state === 'claim')?.count;
  };
  const before = await claims();
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  expect(await claims()).toBe((before ?? 0) + 1);
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  expect(await claims()).toBe(before);
});

test('people are told what concerns them', () => {
  expect(troubleOf('back', 'available_for_pickup')).toBeNull();
  expect(troubleOf('out', 'in_transit')).toBeNull();
  const order = { stands: false, state: 'refunded' } as const;
  expect(lateArrivalOf(order, { way: 'out', tracking: 'in_transit' })).toBeNull();
  expect(lateArrivalOf({ ...order, stands: true }, { way: 'out', tracking: 'delivered' })).toBeNull();
  // A return after which the price went back is where it belongs.
  expect(lateArrivalOf(order, { way: 'back', tracking: 'delivered' })).toBeNull();
});
