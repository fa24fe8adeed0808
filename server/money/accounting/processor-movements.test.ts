// The movements at the card processor that no call of the shop causes, from the stand-in into the books.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { explainMovement, readShopMoney } from '#contract/money/accounting.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { createPayoutProcessor } from '#server/providers/stripe-connect.ts';
import { onboardedSeller, readTransfers, sellAndRelease } from '#tests/harness/money/connected-seller.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { compareWithProcessor } from './actions.ts';

let shop: TestShop;
let admin: Person;
const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);

beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.connection.pool.query('update balance_reading set read_until = null');
});

/** Compares everything so far. @returns the open differences */
async function compare() {
  const { cards, connection, enqueue } = shop;
  const balance = createPayoutProcessor({ secretKey: cards.secretKey, apiUrl: new URL(cards.origin) });
  const { rows } = await compareWithProcessor(
    { database: connection.database, enqueue, balance },
    inTwoHours(),
  );
  await waitForEmptyQueue(connection.pool);
  return rows;
}

const readMoney = () => admin.client.call(readShopMoney, {});

/** The sum of an account. */
async function balanceOf(account: string): Promise<number> {
  const { rows } = await shop.connection.pool.query<{ cents: number }>(
    'select coalesce(sum(amount_cents), 0)::float8 as cents from ledger_entries where account = $1',
    [account],
  );
  return rows[0]?.cents ?? 0;
}

test('a fee, a top-up and a reserve have accounts of their own, and are no differences', async () => {
  await shop.cards.moveBalance({ kind: 'stripe_fee', amount: -200 });
  await shop.cards.topUp(100_000);
  await shop.cards.moveBalance({ kind: 'reserve', amount: -20_400 });
  await shop.cards.moveBalance({ kind: 'reserve', amount: 400 });
  expect(await compare()).toEqual([]);
  expect(await readMoney()).toMatchObject({
    feesCents: 200,
    reservedCents: 20_000,
    suspenseCents: 0,
    processorCents: 100_000 - 20_000 - 200,
  });
  expect(await balanceOf('bank')).toBe(-100_000);
  expect(await findLedgerViolations(shop.connection.pool)).toEqual([]);
});

test('an unknown movement is in the suspense account and emailed once, until an admin explains it', async () => {
  const before = await readMoney();
  const mails = () => shop.mails.filter(({ subject }) => subject.includes('ledger')).length;
  const mailsBefore = mails();
  await shop.cards.moveBalance({ kind: 'adjustment', amount: 7_700 });
  const [difference, ...others] = await compare();
  expect(others).toEqual([]);
  expect(difference).toMatchObject({
    ...{ kind: 'unknown_movement', movement: 'other', detail: 'other_adjustment' },
    ...{ ledger_cents: '0', processor_cents: '7700' },
  });
  await shop.connection.pool.query('update balance_reading set read_until = null');
  expect(await compare()).toHaveLength(1);
  expect(mails()).toBe(mailsBefore + 1);
  expect(shop.mails.at(-1)?.text).toContain('$77.00 (other_adjustment), which the shop does not know');
  expect(await readMoney()).toMatchObject({
    suspenseCents: 7_700,
    feesCents: before.feesCents,
    openDifferences: 1,
  });

  const explain = (person: Person, explanation: 'fee' | 'own_money' | 'other_currency') =>
    person.client.call(explainMovement, {
      params: { _id: difference?.id ?? '' },
      body: { explanation, note: 'An insurance paid it in.' },
    });
  await expect(explain(await shop.seller(), 'fee')).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(explain(admin, 'other_currency')).rejects.toMatchObject({ code: 'invalid_input' });
  // Two admins at the same time: one explanation counts.
  const outcomes = await Promise.allSettled([explain(admin, 'own_money'), explain(admin, 'own_money')]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await readMoney()).toMatchObject({
    suspenseCents: 0,
    openDifferences: 0,
    feesCents: before.feesCents,
  });
  expect(await balanceOf('bank')).toBe(-107_700);
  const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
  expect(entry).toMatchObject({
    act: 'Explained movement',
    subject: `${difference?.reference} (other_adjustment)`,
    note: 'own_money, $77.00: An insurance paid it in.',
  });
  expect(await compare()).toEqual([]);
  expect(await findLedgerViolations(shop.connection.pool)).toEqual([]);
});

test('a reversal that an operator makes at the card processor is posted, and is no difference', async () => {
  await shop.cards.topUp(200_000);
  const seller = await onboardedSeller(shop);
  const { orderId } = await sellAndRelease(shop, seller);
  await shop.runPayouts();
  const [transfer] = await readTransfers(shop, orderId);
  for (const amount of [5_000, 2_000]) {
    await shop.cards.settleFunds();
    await shop.cards.stripe.transfers.createReversal(transfer?.id ?? '', { amount });
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
  }
  const { rows } = await shop.connection.pool.query<{ cents: number }>(
    `select sum(amount_cents)::int as cents from ledger_entries join ledger_postings on ledger_postings.id = posting_id
      where kind = 'transfer_reversed' and account = 'processor'`,
  );
  expect(rows).toEqual([{ cents: 7_000 }]);
  expect(await compare()).toEqual([]);
});

test('a reversal of an operator is recorded although one of the shop was pending, which is refused then', async () => {
  const { pool } = shop.connection;
  await shop.cards.topUp(200_000);
  const { orderId } = await sellAndRelease(shop, await onboardedSeller(shop));
  await shop.runPayouts();
  await shop.cards.settleFunds();
  const [transfer] = await readTransfers(shop, orderId);
  await pool.query(
    `insert into transfer_reversals (transfer_id, amount_cents, next_attempt_at)
       select id, amount_cents, now() from transfers where order_id = $1`,
    [orderId],
  );
  await shop.cards.stripe.transfers.createReversal(transfer?.id ?? '', {});
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(pool);
  await shop.runPayouts();
  const { rows } = await pool.query(
    `select reversed_cents = transfers.amount_cents as is_reversed, transfer_reversals.state
       from transfers join transfer_reversals on transfer_reversals.transfer_id = transfers.id
      where order_id = $1`,
    [orderId],
  );
  expect(rows).toEqual([{ is_reversed: true, state: 'refused' }]);
  expect(await compare()).toEqual([]);
});

test('a movement that exceeds any price is read as each other one', async () => {
  const { processorCents } = await readMoney();
  await shop.cards.topUp(3_000_000_000);
  await compare();
  expect((await readMoney()).processorCents).toBe(processorCents + 3_000_000_000);
});

test('a movement in another currency is a difference of its own, and is not added to dollars', async () => {
  const { cards } = shop;
  await fetch(`${cards.origin}/sandbox/settlement`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cards.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'eur', exchangeRate: 0.92 }),
  });
  const before = await readMoney();
  await cards.moveBalance({ kind: 'stripe_fee', amount: -300 });
  const [difference, ...others] = await compare();
  expect(others).toEqual([]);
  expect(difference).toMatchObject({
    ...{ kind: 'other_currency', movement: 'other', detail: 'EUR' },
    ...{ ledger_cents: '0', processor_cents: '-300' },
  });
  expect(await readMoney()).toMatchObject({
    feesCents: before.feesCents,
    processorCents: before.processorCents,
  });
  await admin.client.call(explainMovement, {
    params: { _id: difference?.id ?? '' },
    body: { explanation: 'other_currency', note: 'A fee in euros.' },
  });
  await shop.connection.pool.query('update balance_reading set read_until = null');
  expect(await compare()).toEqual([]);
});

test('a transfer of an operator that belongs to no order is a difference until an admin explains it', async () => {
  const seller = await onboardedSeller(shop);
  await shop.cards.topUp(100_000);
  await shop.cards.settleFunds();
  const { rows } = await shop.connection.pool.query<{ account_id: string }>(
    'select account_id from payout_accounts where seller_id = $1',
    [seller.userId],
  );
  const { id } = await shop.cards.stripe.transfers.create({
    amount: 4_200,
    currency: 'usd',
    destination: rows[0]?.account_id ?? '',
  });
  const ofTransfers = async () => (await compare()).filter(({ movement }) => movement === 'transfer');
  const [difference] = await ofTransfers();
  expect(difference).toMatchObject({ kind: 'missing_in_ledger', movement: 'transfer', reference: id });
  const explain = (explanation: 'own_money' | 'fee' | 'shop_loss') =>
    admin.client.call(explainMovement, {
      params: { _id: difference?.id ?? '' },
      body: { explanation, note: 'Paid out of the dashboard.' },
    });
  for (const other of ['fee', 'shop_loss'] as const) {
    await expect(explain(other)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  const before = await balanceOf('bank');
  await explain('own_money');
  expect(await balanceOf('bank')).toBe(before + 4_200);
  await shop.connection.pool.query('update balance_reading set read_until = null');
  expect(await ofTransfers()).toEqual([]);
});
