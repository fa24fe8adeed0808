import { afterAll, beforeAll, expect, test } from 'vitest';
import { readShopMoney, type ShopMoney } from '#contract/money/accounting.ts';
import { createQueue } from '#server/platform/jobs/queue.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { compareDaily, compareWithProcessor } from './actions.ts';
import { createBalance } from './testing/balance.ts';

let shop: TestShop;
let admin: Person;
let seller: Person;
const balance = createBalance();
let queue: ReturnType<typeof createQueue>;
const now = () => new Date();
const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);

beforeAll(async () => {
  shop = await startTestShop();
  [admin, seller] = [await shop.admin(), await shop.seller()];
  queue = createQueue(shop.database.url, () => undefined);
  await queue.start([]);
});
afterAll(async () => {
  await queue.stop();
  await shop.close();
});

const dependencies = () => ({ database: shop.connection.database, enqueue: queue.enqueue, balance });

/** Compares everything so far, and waits for the emails. @returns the open differences without ids and times */
async function compare(at: Date) {
  await shop.connection.pool.query('update balance_reading set read_until = null');
  const { rows } = await compareWithProcessor(dependencies(), at);
  await waitForEmptyQueue(shop.connection.pool);
  return rows.map(({ kind, movement, reference, ledger_cents, processor_cents, detail }) => ({
    ...{ kind, movement, reference, detail },
    ...{ ledger: Number(ledger_cents), processor: Number(processor_cents) },
  }));
}

const mailsToAdmin = () =>
  shop.mails.filter(({ to, subject }) => to === admin.email && subject.includes('ledger')).length;

/** A sale whose charge the card processor lists. */
async function sale() {
  const { transactionId, ...sold } = await sellLaptop(shop, { seller, buyer: await shop.buyer() });
  const charge = balance.add({ type: 'charge', amountCents: 54_999, feeCents: 190, transactionId });
  return { ...sold, transactionId, charge };
}

const readMoney = (): Promise<ShopMoney> => admin.client.call(readShopMoney, {});

test('fees are posted once, and movements that agree are no difference', async () => {
  const before = await readMoney();
  expect(before).toMatchObject({ heldCents: 0, months: [], comparedAt: null, openDifferences: 0 });
  await sale();
  await sale();
  await sale();
  balance.add({ type: 'payout', amountCents: -10_000 });
  balance.add({ type: 'fee', amountCents: -200 });
  expect(await compare(inTwoHours())).toEqual([]);
  expect(await compare(inTwoHours())).toEqual([]);
  expect(await readMoney()).toMatchObject({
    heldCents: 3 * 54_999,
    feesCents: 3 * 190 + 200,
    processorCents: 3 * (54_999 - 190) - 10_000 - 200,
    months: [{ salesCents: 3 * 54_999, feesCents: 3 * 190 + 200 }],
    comparedAt: expect.any(String),
  });
  expect(mailsToAdmin()).toBe(0);
  expect(await findLedgerViolations(shop.connection.pool)).toEqual([]);
});

test('a movement that only the card processor has is emailed to the admins once, until it is gone', async () => {
  balance.add({ type: 'charge', amountCents: 1_000, transactionId: 'pi_extra' });
  const found = {
    ...{ kind: 'missing_in_ledger', movement: 'payment', reference: 'pi_extra', detail: '' },
    ...{ ledger: 0, processor: 1_000 },
  };
  expect(await compare(inTwoHours())).toEqual([found]);
  expect(await compare(inTwoHours())).toEqual([found]);
  expect(mailsToAdmin()).toBe(1);
  expect(shop.mails.at(-1)?.text).toContain(
    'payment pi_extra: $10.00 at the card processor, nothing in the ledger',
  );
  expect(await readMoney()).toMatchObject({
    openDifferences: 1,
    differences: [{ reference: 'pi_extra', processorCents: 1_000, ledgerCents: 0 }],
  });
  const scrape = await (await fetch(`${shop.origin}/metrics`)).text();
  expect(scrape).toContain('coomercio_ledger_differences{kind="missing_in_ledger"} 1');

  balance.add({ type: 'charge', amountCents: -1_000, transactionId: 'pi_extra' });
  expect(await compare(inTwoHours())).toEqual([]);
  expect(await readMoney()).toMatchObject({ openDifferences: 0, differences: [] });
});

test('a sale that the card processor does not have is a difference, but not within its first hour', async () => {
  const { transactionId, charge } = await sale();
  balance.remove(charge);
  expect(await compare(now())).toEqual([]);
  expect(await compare(inTwoHours())).toEqual([
    {
      ...{ kind: 'missing_at_processor', movement: 'payment', reference: transactionId, detail: '' },
      ...{ ledger: 54_999, processor: 0 },
    },
  ]);
  balance.add(charge);
  expect(await compare(inTwoHours())).toEqual([]);
});

test('wrong amounts of refunds, disputes and transfers are differences', async () => {
  const { transactionId, bookingId } = await sale();
  const { pool } = shop.connection;
  await pool.query(
    `insert into refunds (id, booking_id, transaction_id, amount_cents, reason, state, done_at)
     values ('00000000-0000-4000-8000-000000000001', $1, $2, 500, 'partial', 'done', now())`,
    [bookingId, transactionId],
  );
  await pool.query(
    `insert into disputes (card_dispute_id, booking_id, transaction_id, amount_cents, reason, state)
     values ('dp_1', $1, $2, 54999, 'fraudulent', 'disputed')`,
    [bookingId, transactionId],
  );
  await pool.query(
    `with posted as (
       insert into ledger_postings (kind, reference)
       values ('refund_made', '00000000-0000-4000-8000-000000000001-1'), ('dispute_opened', 'dp_1'), ('transfer', 'tr_1')
       returning id, kind)
     insert into ledger_entries (posting_id, account, amount_cents, seller_id)
       select id, case kind when 'refund_made' then 'refunds_due' when 'dispute_opened' then 'disputed' else 'payable' end,
              500, case kind when 'transfer' then $1::uuid end from posted
       union all select id, 'processor', -500, null from posted`,
    [seller.userId],
  );
  balance.add({ type: 'refund', amountCents: -400, transactionId });
  balance.add({ type: 'dispute', amountCents: -54_999, transactionId, sourceId: 'dp_1' });
  const transfer = balance.add({ type: 'transfer', amountCents: -600, sourceId: 'tr_1' });
  const wrong = (movement: string, reference: string, processor: number) => ({
    ...{ kind: 'wrong_amount', movement, reference, detail: '' },
    ...{ ledger: -500, processor },
  });
  expect((await compare(inTwoHours())).toReversed()).toEqual([
    wrong('dispute', transactionId, -54_999),
    wrong('refund', transactionId, -400),
    wrong('transfer', 'tr_1', -600),
  ]);
  // A refund that the card processor has not decided moves the balance, and the ledger later.
  await pool.query(`update refunds set state = 'pending', done_at = null where transaction_id = $1`, [
    transactionId,
  ]);
  expect((await compare(inTwoHours())).map(({ movement }) => movement)).toEqual(['transfer', 'dispute']);

  balance.add({ type: 'refund', amountCents: -100, transactionId });
  balance.add({ type: 'dispute', amountCents: 54_499, transactionId, sourceId: 'dp_1' });
  balance.add({ ...transfer, balanceTransactionId: 'txn_transfer_rest', amountCents: 100 });
  expect(await compare(inTwoHours())).toEqual([]);
});

test('a reading goes on where the last one ended, an hour before it', async () => {
  const at = inTwoHours();
  await compareWithProcessor(dependencies(), at);
  balance.readings.length = 0;
  await compareWithProcessor(dependencies(), new Date(at.getTime() + 3_600_000));
  expect(balance.readings[0]).toEqual({
    from: new Date(at.getTime() - 3_600_000),
    until: new Date(at.getTime() + 3_600_000),
  });
});

test('when neither the comparison nor the search for lost events works, both failures are reported', async () => {
  const { transactionId } = await sale();
  const { pool } = shop.connection;
  balance.add({ type: 'refund', amountCents: -100, transactionId, sourceId: 're_unknown' });
  await compareWithProcessor(dependencies(), inTwoHours());
  await pool.query(`update balance_reading set next_at = now() - interval '1 hour'`);
  const broken = {
    ...dependencies(),
    balance: { listBalanceTransactions: () => Promise.reject(new Error('unavailable')) },
    enqueue: () => Promise.reject(new Error('no queue')),
  };
  await expect(compareDaily(broken, now(), new AbortController().signal)).rejects.toMatchObject({
    errors: [{ message: 'unavailable' }, { message: 'no queue' }],
  });
});

test('of several processes one compares once a day, and after a failure again in an hour', async () => {
  const day = 24 * 3_600_000;
  const signal = new AbortController().signal;
  const compareAt = (at: number, reader = balance) =>
    compareDaily({ ...dependencies(), balance: reader }, new Date(at), signal);
  const start = Date.now() + 30 * day;
  // The refund of another test has no counterpart at the card processor, and would be looked for in an hour.
  await shop.connection.pool.query(`delete from balance_transactions where type = 'refund'`);
  balance.readings.length = 0;
  await Promise.all([compareAt(start), compareAt(start), compareAt(start)]);
  const readings = balance.readings.length;
  expect(new Set(balance.readings.map(({ until }) => until.getTime()))).toEqual(new Set([start]));
  await compareAt(start + day - 1_000);
  expect(balance.readings).toHaveLength(readings);

  const unavailable = {
    ...balance,
    listBalanceTransactions: () => Promise.reject(new Error('unavailable')),
  };
  await expect(compareAt(start + day, unavailable)).rejects.toThrow('unavailable');
  await compareAt(start + day + 3_599_000);
  expect(balance.readings).toHaveLength(readings);
  await compareAt(start + day + 3_600_000);
  expect(balance.readings.length).toBeGreaterThan(readings);
});
