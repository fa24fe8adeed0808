// Periodic work on lists: an item that fails stops no other one, is postponed, and is processed when it no longer fails.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveSearch } from '#contract/listings/saved-searches.ts';
import { recordSettlement } from '#contract/money/settlements.ts';
import { readHealth } from '#contract/operations/health.ts';
import { DAY_MS, MINUTE_MS } from '#contract/platform/durations.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { cancelSale, complain } from '#contract/sales/complaints.ts';
import { buyLabel, quoteLabel } from '#contract/sales/labels.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { writeReview } from '#contract/sales/reviews.ts';
import { compareLaptops } from '#server/certification/duplicates/actions.ts';
import { refreshLevels, retryFailedLevels } from '#server/certification/inspections/refresh-levels.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { measureAs } from '#server/certification/inspections/testing/measure.ts';
import { readStoredFacts } from '#server/listings/catalogue/stored-facts.ts';
import { matchChanges } from '#server/listings/saved-searches/match-changes.ts';
import { compareDaily, compareWithProcessor } from '#server/money/accounting/actions.ts';
import { createBalance } from '#server/money/accounting/testing/balance.ts';
import { applyComplaintDeadlines } from '#server/sales/complaints/deadlines.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { showDueReviews } from '#server/sales/reviews/actions.ts';
import { followLabels } from '#server/sales/shipping/follow-labels.ts';
import * as payoutHarness from '#tests/harness/money/connected-seller.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { failRows } from '#tests/harness/platform/failing-rows.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sampleSender, startTestCarriers, type TestCarriers, verify } from '#tests/harness/sales/carriers.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

/** Other ones than those by which a new shop's levels are computed. */
const batteryFloors = { Excellent: 86, Good: 81 };

let shop: TestShop;
let seller: Person;
let carriers: TestCarriers;
beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: payoutHarness.commission, batteryFloors },
    dependencies: async (context) => {
      carriers = await startTestCarriers(context);
      return { carriers: carriers.carriers };
    },
  });
  seller = await shop.seller();
});
afterAll(async () => {
  await shop.close();
  await carriers.close();
});

const { signal } = new AbortController();
const pool = () => shop.connection.pool;
const dependencies = () => ({ database: shop.connection.database, enqueue: shop.enqueue });
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const twoMinutesAfter = (time: Date) => new Date(time.getTime() + 2 * MINUTE_MS);

/** The first column of all rows. */
async function column(text: string, values: unknown[]): Promise<unknown[]> {
  const { rows } = await pool().query<unknown[]>({ text, values, rowMode: 'array' });
  return rows.map(([value]) => value);
}

/** Two items of the same kind, of which the first is due longer and fails. */
interface Pair {
  failing: string;
  other: string;
}

/**
 * Runs a round in which one item fails: the other one is processed. A round at the same time does not try the failed one again, and
 * one after two minutes processes it.
 * @param isDone reads whether an item was processed
 * @param options.prepare makes the items due when a periodic task of the shop could be faster
 * @param options.isPostponed false when each round tries the failed item again
 */
async function expectOthersGoOn(
  { failing, other }: Pair,
  failure: readonly [rows: Parameters<typeof failRows>[1], condition: string],
  run: (now: Date) => Promise<unknown>,
  isDone: (id: string) => Promise<boolean>,
  {
    now,
    prepare,
    isPostponed = true,
  }: { now: Date; prepare?: () => Promise<unknown>; isPostponed?: boolean },
): Promise<void> {
  {
    await using _ = await failRows(pool(), ...failure);
    await prepare?.();
    await expect(run(now)).rejects.toThrow();
    expect(await isDone(other)).toBe(true);
    expect(await isDone(failing)).toBe(false);
    if (isPostponed) await run(now);
    else await expect(run(now)).rejects.toThrow();
  }
  await run(twoMinutesAfter(now));
  expect(await isDone(failing)).toBe(true);
  expect(await column('select item from failed_items where failed_at <= $1', [now])).toEqual([]);
}

const twoSales = async (): Promise<Pair & { sales: [Sale, Sale] }> => {
  const sales: [Sale, Sale] = [await sellLaptop(shop, { seller }), await sellLaptop(shop, { seller })];
  return { failing: sales[0].orderId, other: sales[1].orderId, sales };
};
const stateIs = (state: string) => async (id: string) =>
  (await column('select state from orders where id = $1', [id]))[0] === state;

test('an order that cannot be moved at its deadline stops no other', async () => {
  const pair = await twoSales();
  await expectOthersGoOn(
    pair,
    [['orders', 'update'], `new.id = '${pair.failing}'`],
    (now) => moveOverdueOrders(dependencies(), now),
    stateIs('released'),
    { now: inDays(8) },
  );
});

test('orders that fail each time do not fill the batches, and Health names their queue', async () => {
  const { failing, other } = await twoSales();
  await pool().query(
    `insert into failed_items select 'order deadlines', $1, 5, now(), now() + interval '9 days'`,
    [failing],
  );
  await moveOverdueOrders(dependencies(), inDays(8));
  expect(await stateIs('released')(other)).toBe(true);
  expect(await stateIs('held')(failing)).toBe(true);
  const admin = await shop.admin();
  const { checks } = await admin.client.call(readHealth, {});
  expect(checks.find(({ subject }) => subject === 'jobs')).toMatchObject({
    state: 'look',
    figures: expect.arrayContaining([{ name: 'Postponed', value: 'order deadlines (1)' }]),
  });
  await moveOverdueOrders(dependencies(), inDays(10));
  expect(await stateIs('released')(failing)).toBe(true);
});

test('a complaint that cannot be moved at its deadline, or reminded of, stops no other', async () => {
  const pair = await twoSales();
  const body = { kind: 'not_handed_over', text: 'Nobody came.' } as const;
  for (const { buyer, orderId } of pair.sales) {
    await buyer.client.call(complain, { params: { _id: orderId }, body });
  }
  const run = (now: Date) => applyComplaintDeadlines(dependencies(), now);
  await expectOthersGoOn(
    pair,
    [['orders', 'update'], `new.id = '${pair.failing}' and new.reminded_in is not null`],
    run,
    async (id) => (await column('select reminded_in from orders where id = $1', [id]))[0] !== null,
    { now: inDays(4) },
  );
  await expectOthersGoOn(
    pair,
    [['orders', 'update'], `new.id = '${pair.failing}'`],
    run,
    stateIs('refunded'),
    { now: inDays(6) },
  );
  await waitForEmptyQueue(pool());
});

test('a review that cannot be shown stops no other', async () => {
  const pair = await twoSales();
  for (const { buyer, orderId } of pair.sales) {
    await buyer.client.call(confirmOrder, { params: { _id: orderId } });
    const body = { stars: 5, text: 'As described.' };
    await buyer.client.call(writeReview, { params: { _id: orderId }, body });
  }
  await expectOthersGoOn(
    pair,
    [['reviews', 'update'], `new.order_id = '${pair.failing}'`],
    (now) => showDueReviews(dependencies(), now),
    async (id) => (await column('select shown_at from reviews where order_id = $1', [id]))[0] !== null,
    { now: inDays(15) },
  );
});

test('a laptop that cannot be compared stops no other, and its note is kept', async () => {
  await compareLaptops(dependencies().database, signal);
  const pair = { failing: await shop.laptop(seller), other: await shop.laptop(seller) };
  for (const id of [pair.failing, pair.other]) {
    await pool().query('insert into laptops_to_compare (laptop_id) values ($1)', [id]);
  }
  await expectOthersGoOn(
    pair,
    [['laptops_to_compare', 'delete'], `old.laptop_id = '${pair.failing}'`],
    (now) => compareLaptops(dependencies().database, signal, now),
    async (id) => (await column('select from laptops_to_compare where laptop_id = $1', [id])).length === 0,
    { now: new Date() },
  );
});

test('a laptop whose level or facts cannot be computed stops no other', async () => {
  const description = { Processor: 'Intel i5-10310U', Memory: '16 GB', Storage: '512 GB SSD' };
  const pair = {
    failing: await shop.laptop(seller, { description, condition: 'Excellent' }),
    other: await shop.laptop(seller, { description, condition: 'Excellent' }),
  };
  for (const id of [pair.failing, pair.other]) await measureAs(shop, seller, id, thinkpad);
  const forgetFacts = 'update laptops set facts_version = 1, memory_gb = null where id in ($1, $2)';
  await expectOthersGoOn(
    pair,
    [['laptops', 'update'], `new.id = '${pair.failing}' and new.facts_version > 1`],
    (now) => readStoredFacts(dependencies().database, signal, now),
    async (id) => (await column('select memory_gb from laptops where id = $1', [id]))[0] === 16,
    { now: inDays(1), prepare: () => pool().query(forgetFacts, [pair.failing, pair.other]) },
  );
  const refresh = (floors: typeof batteryFloors, now: Date) =>
    refreshLevels(
      { ...dependencies(), shop: () => ({ ...defaultShopSettings, batteryFloors: floors }) },
      signal,
      now,
    );
  await expectOthersGoOn(
    pair,
    [['laptops', 'update'], `new.id = '${pair.failing}' and new.level <> 'word'`],
    async (now) => {
      await refresh(batteryFloors, now);
      await retryFailedLevels(
        { ...dependencies(), shop: () => ({ ...defaultShopSettings, batteryFloors }) },
        signal,
        now,
      );
    },
    async (id) => (await column('select level from laptops where id = $1', [id]))[0] === 'measured',
    { now: inDays(2), prepare: () => refresh({ Excellent: 95, Good: 95 }, new Date()) },
  );
});

test('a changed laptop that cannot be matched with saved searches stops no other, nor does an unreadable search', async () => {
  const buyer = await shop.buyer('Bea Buyer', { email_verified: true });
  const body = { name: 'Mine', filters: { q: 'matched' }, frequency: 'daily' } as const;
  const { insertedId } = await buyer.client.call(saveSearch, { body });
  await pool().query(
    `insert into saved_searches (user_id, name, filters, filters_sha256, frequency)
     values ($1, 'Unreadable', '{"min_price": "much"}', repeat('0', 64), 'daily')`,
    [buyer.userId],
  );
  const match = (now: Date) => matchChanges(dependencies().database, () => true, signal, now);
  await match(new Date());
  const pair = {
    failing: await shop.laptop(seller, { name: 'Matched 1' }),
    other: await shop.laptop(seller, { name: 'Matched 2' }),
  };
  const run = async (now: Date) => {
    const { failures } = await match(now);
    const own = failures.map(String);
    // The unreadable search is reported in each round in which there is something to match.
    expect(own.filter((failure) => failure.includes('cannot be read')).length).toBeLessThanOrEqual(1);
    const others = own.filter((failure) => !failure.includes('cannot be read'));
    if (others.length > 0) throw new Error(others.join());
  };
  await expectOthersGoOn(
    pair,
    [['saved_search_news', 'insert'], `new.laptop_id = '${pair.failing}'`],
    run,
    async (id) =>
      (
        await column('select from saved_search_news where search_id = $1 and laptop_id = $2', [
          insertedId,
          id,
        ])
      ).length === 1,
    { now: new Date() },
  );
});

test('an order for which no transfer can be reserved stops no other', async () => {
  const connected = await payoutHarness.onboardedSeller(shop);
  const first = await payoutHarness.sellAndRelease(shop, connected);
  const second = await payoutHarness.sellAndRelease(shop, connected);
  await expectOthersGoOn(
    { failing: first.orderId, other: second.orderId },
    [['transfers', 'insert'], `new.order_id = '${first.orderId}'`],
    (now) => shop.runPayouts(now),
    async (id) => (await payoutHarness.transfersOf(shop, id)).length === 1,
    { now: new Date() },
  );
});

test('a transfer of which no reversal can be reserved stops no other', async () => {
  const connected = await payoutHarness.onboardedSeller(shop);
  const first = await payoutHarness.sellAndRelease(shop, connected);
  const second = await payoutHarness.sellAndRelease(shop, connected);
  await shop.runPayouts();
  // A transfer can be reversed once its money is available to the account.
  await shop.cards.settleFunds();
  // The latest transfer is reversed first.
  const [failing] = await column('select id from transfers where order_id = $1', [second.orderId]);
  for (const { orderId } of [first, second]) await payoutHarness.refundOrder(shop, orderId);
  await expectOthersGoOn(
    { failing: second.orderId, other: first.orderId },
    [['transfer_reversals', 'insert'], `new.transfer_id = '${failing}'`],
    (now) => shop.runPayouts(now),
    async (id) => (await column('select reversed_cents from transfers where order_id = $1', [id]))[0] !== 0,
    { now: new Date() },
  );
});

test('a movement at the card processor that cannot be stored stops no other', async () => {
  const balance = createBalance();
  const failing = balance.add({ type: 'other', amountCents: -1_100 }).balanceTransactionId;
  const other = balance.add({ type: 'other', amountCents: -2_200 }).balanceTransactionId;
  await expectOthersGoOn(
    { failing, other },
    [['ledger_postings', 'insert'], `new.reference = '${failing}'`],
    (now) => compareWithProcessor({ ...dependencies(), balance }, now),
    async (id) => (await column('select from ledger_postings where reference = $1', [id])).length === 1,
    { now: inDays(1), isPostponed: false },
  );
  const posted = `select amount_cents::int from ledger_entries join ledger_postings on ledger_postings.id = posting_id
    where account = 'processor' and reference = any($1)`;
  expect((await column(posted, [[failing, other]])).toSorted()).toEqual([-1_100, -2_200]);
});

test('a refund whose event was lost is found although a movement cannot be stored', async () => {
  const { transactionId } = await sellLaptop(shop, { seller });
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const refund = await shop.cards.stripe.refunds.create({ payment_intent: transactionId, amount: 1_000 });
  const balance = createBalance();
  const createdAt = inDays(3);
  const failing = { balanceTransactionId: 'txn_failing', createdAt };
  balance.add({ type: 'other', amountCents: -1_100, ...failing });
  const lost = { sourceId: refund.id, transactionId, balanceTransactionId: 'txn_lost', createdAt };
  balance.add({ type: 'refund', amountCents: -1_000, ...lost });
  await using _ = await failRows(
    pool(),
    ['ledger_postings', 'insert'],
    `new.reference = '${failing.balanceTransactionId}'`,
  );
  await expect(compareDaily({ ...dependencies(), balance }, inDays(4), signal)).rejects.toThrow(
    'some movements',
  );
  await waitForEmptyQueue(pool());
  expect(await column('select amount_cents from refunds where card_refund_id = $1', [refund.id])).toEqual([
    1_000,
  ]);
  await shop.cards.setFaults({});
});

test('a label that cannot be given back keeps no other one from being followed', async () => {
  const boughtLabel = async () => {
    const { orderId } = await sellLaptop(shop, { seller, address: sampleAddress });
    await verify(shop, seller);
    const { _id, rates } = await seller.client.call(quoteLabel, {
      params: { _id: orderId },
      body: { sender: sampleSender },
    });
    const body = { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 };
    await seller.client.call(buyLabel, { params: { _id }, body });
    await waitForEmptyQueue(pool());
    return { orderId, label: _id };
  };
  const [unneeded, needed] = [await boughtLabel(), await boughtLabel()];
  await seller.client.call(cancelSale, {
    params: { _id: unneeded.orderId },
    body: { text: 'It fell down.' },
  });
  await pool().query('update labels set next_check_at = $1', [inDays(-2)]);
  await expectOthersGoOn(
    { failing: unneeded.label, other: needed.label },
    [['labels', 'update'], `new.id = '${unneeded.label}'`],
    (now) =>
      followLabels(
        {
          ...dependencies(),
          ...carriers,
          shop: () => ({ ...defaultShopSettings, payoutMethod: 'card_processor' }),
        },
        now,
      ),
    async (id) =>
      (await column('select next_check_at > $2 from labels where id = $1', [id, inDays(-1)]))[0] === true,
    { now: new Date() },
  );
});

test('a refund that waits and cannot be told keeps no payment from being reconciled', async () => {
  const admin = await shop.admin();
  const paid = await shop.seller();
  const { orderId } = await payoutHarness.sellAndRelease(shop, paid);
  const body = { kind: 'paid', sellerId: paid.userId, amount: 522, note: 'by hand' } as const;
  await admin.client.call(recordSettlement, { body });
  await payoutHarness.refundOrder(shop, orderId);
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  await shop.pay(clientSecret);
  {
    await using _ = await failRows(pool(), ['refunds', 'update'], 'new.told_waiting_at is not null');
    await expect(shop.reconcile(inDays(1))).rejects.toThrow();
  }
  expect(await column('select booking_id from orders where booking_id = $1', [bookingId])).toEqual([
    bookingId,
  ]);
  await shop.cards.setFaults({});
});
