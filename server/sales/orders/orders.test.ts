// Orders on a real database: what opens them, who may move them, what deadlines do, and what guesses of a code cost.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relistLaptop } from '#contract/listings/catalogue.ts';
import type { OrderMove } from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { listBookings, listOwnBuyers } from '#contract/sales/bookings.ts';
import { confirmOrder, handOver, readOrder } from '#contract/sales/orders.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import { payableTo } from '#tests/harness/money/payable.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { moveOverdueOrders, readOrder as readFrom } from './actions.ts';
import { moveOrder, selectOrderForUpdate } from './steps.ts';

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

const commission = { basisPoints: 500, fixedCents: 100 };

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop({ settings: { commission } });
});
afterAll(async () => {
  expect(await findLedgerViolations(shop.connection.pool)).toEqual([]);
  await shop.close();
});

const dependencies = () => ({
  database: shop.connection.database,
  enqueue: async () => undefined,
});

const read = ({ client }: Person, { orderId }: Sale) => client.call(readOrder, { params: { _id: orderId } });
const enter = ({ client }: Person, { orderId }: Sale, code: string) =>
  client.call(handOver, { params: { _id: orderId }, body: { code } });
const confirm = ({ client }: Person, { orderId }: Sale) =>
  client.call(confirmOrder, { params: { _id: orderId } });
const events = async (sale: Sale) => (await read(sale.buyer, sale)).timeline.map(({ event }) => event);

/** Another code than the order's. @param distance from 1 */
const wrongCode = ({ code }: Sale, distance = 1) =>
  String((Number(code) + distance) % 1_000_000).padStart(6, '0');

function move({ orderId }: Sale, name: OrderMove) {
  const { database, enqueue } = dependencies();
  return database.transaction().execute(async (transaction) => {
    const order = await selectOrderForUpdate(transaction, orderId);
    if (order === undefined) throw new Error('There is no such order.');
    return moveOrder(transaction, enqueue, order, name);
  });
}

describe('a payment', () => {
  test('opens an order whose code only the buyer sees, and whose division only the seller and admins see', async () => {
    const sale = await sellLaptop(shop);
    const byBuyer = await read(sale.buyer, sale);
    expect(byBuyer).toMatchObject({
      role: 'buyer',
      state: 'held',
      price: 549.99,
      refunded: 0,
      handoverCode: sale.code,
      timeline: [{ event: 'paid', by: 'buyer' }],
      moves: ['confirm', 'complain'],
    });
    expect(byBuyer).not.toHaveProperty('commission');
    expect(byBuyer).not.toHaveProperty('proceeds');
    const bySeller = await read(sale.seller, sale);
    // 5 % of $549.99, rounded down, and $1.
    expect(bySeller).toMatchObject({ role: 'seller', commission: 28.49, proceeds: 521.5 });
    expect(bySeller).not.toHaveProperty('handoverCode');
    const byAdmin = await read(await shop.admin(), sale);
    expect(byAdmin).toMatchObject({ role: 'admin', commission: 28.49 });
    expect(byAdmin).not.toHaveProperty('handoverCode');
    const days = (Date.parse(byBuyer.dueAt ?? '') - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7.01);
  });

  test('shows the order in My Orders, with the code while the money is held, and in My Buyers', async () => {
    const sale = await sellLaptop(shop);
    const order = { _id: sale.orderId, state: 'held' };
    const [bought] = await sale.buyer.client.call(listBookings, { query: {} });
    expect(bought).toMatchObject({ state: 'Paid', order: { ...order, handoverCode: sale.code } });
    const [unsettled] = await sale.seller.client.call(listOwnBuyers, { query: {} });
    expect(unsettled?.order).not.toHaveProperty('handoverCode');
    await enter(sale.seller, sale, sale.code);
    const [handedOver] = await sale.buyer.client.call(listBookings, { query: {} });
    expect(handedOver?.order).not.toHaveProperty('handoverCode');
    const [sold] = await sale.seller.client.call(listOwnBuyers, { query: {} });
    expect(sold).toMatchObject({ state: 'Paid', order: { ...order, state: 'released' } });
  });

  test('is read in one snapshot: a move during the read is in the whole response or in none of it', async () => {
    const sale = await sellLaptop(shop);
    let isMoved = false;
    const database = shop.connection.database.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isMoved) {
          isMoved = true;
          await enter(sale.seller, sale, sale.code);
        }
        return result;
      },
    });
    const dependencies = { database, shop: () => ({ payoutAfter: 'completed' as const }) };
    const caller: Caller = {
      ...{ userId: sale.buyer.userId, email: sale.buyer.email, name: sale.buyer.name, roles: ['Buyer'] },
      ...{ isOwner: false, areas: [], secondFactorDue: false, authenticatedAt: null, sessionId: null },
      expiresAt: inDays(1).getTime(),
    };
    const response = await readFrom(dependencies, caller, sale.orderId, (photo) => photo);
    expect(response).toMatchObject({ state: 'held', timeline: [{ event: 'paid' }] });
    expect((await read(sale.buyer, sale)).state).toBe('released');
  });

  test('freezes the commission: what it is later changes nothing', async () => {
    const sale = await sellLaptop(shop);
    await shop.changeSettings({ commission: { basisPoints: 2_000, fixedCents: 0 } });
    expect(await read(sale.seller, sale)).toMatchObject({ commission: 28.49, proceeds: 521.5 });
    await enter(sale.seller, sale, sale.code);
    expect(await payableTo(shop.connection.database, sale.seller.userId)).toBe(52_150);
    const later = await sellLaptop(shop, { seller: sale.seller });
    expect(await read(sale.seller, later)).toMatchObject({ commission: 109.99 });
    await shop.changeSettings({ commission });
  });
});

describe('the buyer’s code', () => {
  test('releases the money once, and the code is gone', async () => {
    const sale = await sellLaptop(shop);
    expect(await enter(sale.seller, sale, sale.code)).toMatchObject({ modifiedCount: 1 });
    expect(await enter(sale.seller, sale, sale.code)).toMatchObject({ modifiedCount: 0 });
    // Whether it was right or not, it says nothing afterwards.
    expect(await enter(sale.seller, sale, wrongCode(sale))).toMatchObject({ modifiedCount: 0 });
    const after = await read(sale.buyer, sale);
    expect(after).toMatchObject({ state: 'released', moves: ['complain'] });
    expect(after).not.toHaveProperty('handoverCode');
    expect(await events(sale)).toEqual(['paid', 'hand_over']);
    expect(await payableTo(shop.connection.database, sale.seller.userId)).toBe(52_150);
  });

  test('entered twice at once releases the money once', async () => {
    const sale = await sellLaptop(shop);
    const answers = await Promise.all([1, 2, 3].map(() => enter(sale.seller, sale, sale.code)));
    expect(answers.map(({ modifiedCount }) => modifiedCount).sort()).toEqual([0, 0, 1]);
    expect(await events(sale)).toEqual(['paid', 'hand_over']);
  });

  test('cannot be guessed: five wrong ones lock it for an hour, also for the right one', async () => {
    const sale = await sellLaptop(shop);
    for (let guess = 1; guess <= 4; guess += 1) {
      await expect(enter(sale.seller, sale, wrongCode(sale, guess))).rejects.toMatchObject({
        code: 'wrong_code',
        message: expect.stringContaining('This is not the buyer’s code.'),
      });
    }
    await expect(enter(sale.seller, sale, wrongCode(sale, 5))).rejects.toMatchObject({
      message: expect.stringContaining('codes are taken again'),
    });
    await expect(enter(sale.seller, sale, sale.code)).rejects.toMatchObject({ code: 'wrong_code' });
    expect(await read(sale.seller, sale)).toMatchObject({ state: 'held' });

    await shop.connection.pool.query(
      `update orders set codes_locked_until = now() - interval '1 second' where id = $1`,
      [sale.orderId],
    );
    await expect(enter(sale.seller, sale, wrongCode(sale, 6))).rejects.toMatchObject({ code: 'wrong_code' });
    expect(await enter(sale.seller, sale, sale.code)).toMatchObject({ modifiedCount: 1 });
  });

  test('guessed many times at once costs each guess: five are looked at', async () => {
    const sale = await sellLaptop(shop);
    const guesses = Array.from({ length: 12 }, (_, index) => wrongCode(sale, index + 1));
    const answers = await Promise.allSettled(guesses.map((guess) => enter(sale.seller, sale, guess)));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    const { rows } = await shop.connection.pool.query(
      'select wrong_codes, codes_locked_until > now() as locked from orders where id = $1',
      [sale.orderId],
    );
    expect(rows).toEqual([{ wrong_codes: 5, locked: true }]);
  });

  test('while it is locked, the buyer can confirm and the deadline counts on', async () => {
    const [confirmed, waited] = [await sellLaptop(shop), await sellLaptop(shop)];
    for (const sale of [confirmed, waited]) {
      const guesses = [1, 2, 3, 4, 5].map((guess) => enter(sale.seller, sale, wrongCode(sale, guess)));
      await Promise.allSettled(guesses);
    }
    expect(await confirm(confirmed.buyer, confirmed)).toMatchObject({ modifiedCount: 1 });
    await moveOverdueOrders(dependencies(), inDays(7.01));
    expect(await events(waited)).toEqual(['paid', 'release']);
  });

  test('of another order is wrong', async () => {
    const [sale, other] = [await sellLaptop(shop), await sellLaptop(shop)];
    const code = other.code === sale.code ? wrongCode(sale) : other.code;
    await expect(enter(sale.seller, sale, code)).rejects.toMatchObject({ code: 'wrong_code' });
  });

  test('in another form is refused as invalid, and does not count as a guess', async () => {
    const sale = await sellLaptop(shop);
    for (const code of [
      '',
      '12345',
      '1234567',
      '12345a',
      ` ${sale.code}`,
      '１２３４５６',
      '9'.repeat(10_000),
    ]) {
      await expect(enter(sale.seller, sale, code)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const { rows } = await shop.connection.pool.query('select wrong_codes from orders where id = $1', [
      sale.orderId,
    ]);
    expect(rows).toEqual([{ wrong_codes: 0 }]);
  });
});

describe('another person', () => {
  test('can neither read, hand over nor confirm an order, and a guess does not count', async () => {
    const sale = await sellLaptop(shop);
    const [otherSeller, otherBuyer] = [await shop.seller(), await shop.buyer()];
    const unknown = { code: 'not_found' };
    for (const stranger of [otherSeller, otherBuyer]) {
      await expect(read(stranger, sale)).rejects.toMatchObject(unknown);
    }
    await expect(enter(otherSeller, sale, sale.code)).rejects.toMatchObject(unknown);
    await expect(confirm(otherBuyer, sale)).rejects.toMatchObject(unknown);
    const notAllowed = { code: 'not_allowed' };
    await expect(enter(sale.buyer, sale, sale.code)).rejects.toMatchObject(notAllowed);
    await expect(confirm(sale.seller, sale)).rejects.toMatchObject(notAllowed);
    const admin = await shop.admin();
    await expect(enter(admin, sale, sale.code)).rejects.toMatchObject(notAllowed);
    await expect(confirm(admin, sale)).rejects.toMatchObject(notAllowed);
    expect(await events(sale)).toEqual(['paid']);
    const { rows } = await shop.connection.pool.query('select wrong_codes from orders where id = $1', [
      sale.orderId,
    ]);
    expect(rows).toEqual([{ wrong_codes: 0 }]);
  });
});

describe('the deadline', () => {
  test('releases after seven days and completes fourteen days later, and not before', async () => {
    const sale = await sellLaptop(shop);
    const state = async () => (await read(sale.buyer, sale)).state;
    await moveOverdueOrders(dependencies(), inDays(6.99));
    expect(await state()).toBe('held');
    await moveOverdueOrders(dependencies(), inDays(7.01));
    expect(await state()).toBe('released');
    await moveOverdueOrders(dependencies(), inDays(13.99));
    expect(await state()).toBe('released');
    await moveOverdueOrders(dependencies(), inDays(14.01));
    expect(await state()).toBe('completed');
    expect(await read(sale.buyer, sale)).toMatchObject({ dueAt: null, moves: [] });
    expect(await events(sale)).toEqual(['paid', 'release', 'complete']);
    // The order is released already: for the buyer nothing is left to do, and for the seller no code to enter.
    expect(await confirm(sale.buyer, sale)).toMatchObject({ modifiedCount: 0 });
    expect(await enter(sale.seller, sale, sale.code)).toMatchObject({ modifiedCount: 0 });
  });

  test('in several processes at once moves each order once', async () => {
    const sale = await sellLaptop(shop);
    await Promise.all([1, 2, 3].map(() => moveOverdueOrders(dependencies(), inDays(7.01))));
    expect(await events(sale)).toEqual(['paid', 'release']);
  });

  test('and the buyer’s confirmation at once release the money once', async () => {
    const sale = await sellLaptop(shop);
    await Promise.all([
      moveOverdueOrders(dependencies(), inDays(7.01)),
      confirm(sale.buyer, sale),
      enter(sale.seller, sale, sale.code).catch(() => undefined),
    ]);
    const happened = await events(sale);
    expect(happened).toHaveLength(2);
    expect(await payableTo(shop.connection.database, sale.seller.userId)).toBe(52_150);
  });

  test('releases nothing of an order with a complaint', async () => {
    const sale = await sellLaptop(shop);
    await move(sale, 'complain');
    await moveOverdueOrders(dependencies(), inDays(30));
    expect(await read(sale.seller, sale)).toMatchObject({ state: 'complaint' });
    await expect(enter(sale.seller, sale, sale.code)).rejects.toMatchObject({ code: 'order_moved' });
    await expect(confirm(sale.buyer, sale)).rejects.toMatchObject({ code: 'order_moved' });
  });
});

describe('a refunded order', () => {
  test('returns the laptop to its seller, who can sell it again', async () => {
    const sale = await sellLaptop(shop);
    expect(await move(sale, 'cancel')).toMatchObject({ to: 'refunded' });
    expect((await read(sale.buyer, sale)).refunds).toMatchObject([
      { amount: 549.99, reason: 'order_cancelled', state: 'pending' },
    ]);
    const { rows } = await shop.connection.pool.query(
      'select state, sold_order_id from laptops where id = $1',
      [sale.laptopId],
    );
    expect(rows).toEqual([{ state: 'withdrawn', sold_order_id: null }]);
    expect(await read(sale.buyer, sale)).toMatchObject({ state: 'refunded', refunded: 549.99, dueAt: null });
    expect(await read(sale.seller, sale)).toMatchObject({ commission: 0, proceeds: 0 });
    expect(await payableTo(shop.connection.database, sale.seller.userId)).toBe(0);

    await sale.seller.client.call(relistLaptop, {
      params: { _id: sale.laptopId },
      body: { posted_time: '' },
    });
    const again = await sellLaptop(shop, { seller: sale.seller, laptopId: sale.laptopId });
    expect(await read(again.buyer, again)).toMatchObject({ state: 'held', productCode: sale.laptopId });
    // The first buyer's order is not the second one's.
    await expect(read(sale.buyer, again)).rejects.toMatchObject({ code: 'not_found' });
    await enter(sale.seller, again, again.code);
    expect(await payableTo(shop.connection.database, sale.seller.userId)).toBe(52_150);
  });

  test('of two moves at once one is made', async () => {
    const sale = await sellLaptop(shop);
    const [cancelled, released] = await Promise.allSettled([
      move(sale, 'cancel'),
      enter(sale.seller, sale, sale.code),
    ]);
    const happened = await events(sale);
    expect(happened).toHaveLength(2);
    const wasCancelled = cancelled.status === 'fulfilled' && cancelled.value !== null;
    expect(wasCancelled).toBe(released.status === 'rejected');
    expect(happened[1]).toBe(wasCancelled ? 'cancel' : 'hand_over');
  });
});
