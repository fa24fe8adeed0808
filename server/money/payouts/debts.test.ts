import { afterAll, beforeAll, expect, test } from 'vitest';
import { readShopMoney, readStatement } from '#contract/money/accounting.ts';
import { readOwnMoney } from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { post } from '../ledger/steps.ts';

let shop: TestShop;
let admin: Person;

beforeAll(async () => {
  shop = await startTestShop({
    settings: { bankAccount: 'PT50 0002 0123 1234 5678 9015 4, Coomercio Lda.' },
  });
  admin = await shop.admin();
});
afterAll(() => shop.close());

let postings = 0;

/** Pays a seller more than is due, which is a debt, or with a minus sign credits the seller. */
const takeBack = (seller: Person, cents: number) =>
  shop.connection.database.transaction().execute((transaction) => {
    postings += 1;
    return post(transaction, {
      kind: cents > 0 ? 'settled_by_hand' : 'correction',
      reference: `debt ${postings}`,
      entries: [
        { account: 'payable', amountCents: cents, sellerId: seller.userId, orderId: null },
        { account: 'bank', amountCents: -cents, orderId: null },
      ],
    });
  });

const money = (seller: Person) => seller.client.call(readOwnMoney, {});
const repay = (seller: Person, amount: number, reference: string, idempotencyKey?: string) =>
  admin.client.call(settlements.recordSettlement, {
    body: { kind: 'repaid', sellerId: seller.userId, amount, note: reference },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
const writeOff = (seller: Person, amount: number, reason = 'The seller cannot be reached.') =>
  admin.client.call(settlements.recordSettlement, {
    body: { kind: 'written_off', sellerId: seller.userId, amount, note: reason },
  });
const debts = () => admin.client.call(settlements.listDebts, { query: {} });
const latestAudit = async () => (await admin.client.call(listAuditTrail, { query: { limit: 1 } }))[0];

/** The entries of a posting. */
async function entriesOf(kind: string, reference: string) {
  const { rows } = await shop.connection.pool.query(
    `select account, amount_cents from ledger_entries join ledger_postings on ledger_postings.id = posting_id
      where kind = $1 and reference = $2 order by account`,
    [kind, reference],
  );
  return rows;
}

test('debts and amounts due are shown apart, the largest first', async () => {
  const [small, large, owedTo] = [await shop.seller('-Sal'), await shop.seller(), await shop.seller()];
  await takeBack(small, 10_000);
  await takeBack(large, 28_790);
  await takeBack(owedTo, -175_000);
  expect(await admin.client.call(readShopMoney, {})).toMatchObject({ dueCents: 175_000, owedCents: 38_790 });
  const listed = await debts();
  expect(listed.map(({ owed }) => owed)).toEqual([287.9, 100]);
  expect(listed[1]).toEqual({ _id: small.userId, sellerName: '-Sal', sellerEmail: small.email, owed: 100 });
  const first = await admin.client.page(settlements.listDebts, { query: { limit: 1 } });
  const second = await admin.client.page(settlements.listDebts, {
    query: { limit: 1, cursor: first.next ?? '' },
  });
  expect([...first.items, ...second.items]).toEqual(listed);
  expect(second.next).toBeNull();
});

test('a repayment lowers the debt, is in the bank, the statement and the audit trail, and the seller is told', async () => {
  const seller = await shop.seller();
  await takeBack(seller, 10_000);
  expect(await money(seller)).toMatchObject({
    owed: 100,
    repayment: {
      payTo: 'PT50 0002 0123 1234 5678 9015 4, Coomercio Lda.',
      reference: expect.stringMatching(/^SELLER-[0-9A-F]{12}$/),
    },
  });
  const { insertedId } = await repay(seller, 60, 'SEPA 2026-11');
  expect(await money(seller)).toMatchObject({ owed: 40, due: 0, paid: 40 });
  expect(await entriesOf('repaid_by_hand', insertedId)).toEqual([
    { account: 'bank', amount_cents: '6000' },
    { account: 'payable', amount_cents: '-6000' },
  ]);
  expect(await latestAudit()).toMatchObject({
    act: 'Recorded repayment',
    subject: `Seller ${seller.userId}`,
    note: '$60.00, reference SEPA 2026-11',
  });
  const month = new Date().toISOString().slice(0, 7);
  const { lines, closingCents } = await seller.client.call(readStatement, { query: { month } });
  expect(lines.at(-1)).toMatchObject({ kind: 'repaid_by_hand', cents: 6_000 });
  expect(closingCents).toBe(-4_000);
  await waitForEmptyQueue(shop.connection.pool);
  const mail = shop.mails.find(
    ({ to, subject }) => to === seller.email && subject === 'We have received $60.00 from you',
  );
  expect(mail?.text).toContain('SEPA 2026-11');
  expect(await admin.client.call(settlements.listSettlements, { query: {} })).toContainEqual({
    ...{ _id: insertedId, kind: 'repaid', sellerName: 'Sam Seller', sellerEmail: seller.email },
    ...{ amount: 60, note: 'SEPA 2026-11', adminName: 'Ada Admin', at: expect.any(String) },
  });
});

test('a debt that is written off is an expense, and the seller can then delete the account', async () => {
  const seller = await shop.seller();
  await takeBack(seller, 5_000);
  const leave = () => seller.client.call(deleteOwnAccount, { query: { email: seller.email } });
  await expect(leave()).rejects.toMatchObject({
    code: 'money_on_its_way',
    message: expect.stringContaining('You owe the shop $50.00'),
  });
  const before = await admin.client.call(readShopMoney, {});
  const { insertedId } = await writeOff(seller, 50);
  const after = await admin.client.call(readShopMoney, {});
  expect(after).toMatchObject({
    owedCents: before.owedCents - 5_000,
    writtenOffCents: before.writtenOffCents + 5_000,
    releasedCents: before.releasedCents,
    paidOutCents: before.paidOutCents,
    dueCents: before.dueCents,
  });
  expect(await entriesOf('written_off', insertedId)).toEqual([
    { account: 'payable', amount_cents: '-5000' },
    { account: 'written_off', amount_cents: '5000' },
  ]);
  expect(await latestAudit()).toMatchObject({
    act: 'Wrote off debt',
    note: '$50.00: The seller cannot be reached.',
  });
  await waitForEmptyQueue(shop.connection.pool);
  expect(
    shop.mails.some(({ to, subject }) => to === seller.email && subject === 'You no longer owe us $50.00'),
  ).toBe(true);
  expect(await seller.client.call(readOwnData, {})).toMatchObject({
    settlements: [
      { kind: 'written_off', amount_cents: '5000', reference: null, reason: 'The seller cannot be reached.' },
    ],
  });
  expect(await leave()).toMatchObject({ deletedCount: 1 });
});

test('more than is owed is refused, also when another admin recorded it a moment before', async () => {
  const seller = await shop.seller();
  await expect(repay(seller, 1, 'nothing is owed')).rejects.toMatchObject({ code: 'more_than_owed' });
  await takeBack(seller, 10_000);
  await expect(repay(seller, 100.01, 'cent')).rejects.toMatchObject({ code: 'more_than_owed' });
  await expect(writeOff(seller, 100.01)).rejects.toMatchObject({ code: 'more_than_owed' });
  const outcomes = await Promise.allSettled([
    repay(seller, 60, 'one'),
    repay(seller, 60, 'two'),
    writeOff(seller, 60),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await money(seller)).toMatchObject({ owed: 40 });
  await expect(
    repay({ ...seller, userId: '00000000-0000-4000-8000-000000000000' }, 1, 'nobody'),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('a retry records once, and a reference is recorded once per seller', async () => {
  const seller = await shop.seller();
  await takeBack(seller, 10_000);
  const first = await repay(seller, 10, 'monthly', 'repayment-1');
  expect(await repay(seller, 10, 'monthly', 'repayment-1')).toEqual(first);
  await expect(repay(seller, 10, 'monthly')).rejects.toMatchObject({ code: 'reference_used' });
  expect(await money(seller)).toMatchObject({ owed: 90 });
});

test('what is being taken back at the card processor cannot be repaid or written off as well', async () => {
  await shop.cards.topUp(200_000);
  const seller = await harness.onboardedSeller(shop);
  const { orderId } = await harness.sellAndRelease(shop, seller);
  await shop.runPayouts();
  await shop.cards.settleFunds();
  await harness.refundOrder(shop, orderId);
  expect(await money(seller)).toMatchObject({ owed: 549.99 });
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v1/transfers/*/reversals', kind: 'hold', moment: 'before', times: 1 }],
  });
  const payouts = shop.runPayouts();
  await shop.cards.waitForHeldCalls(1);
  const refusal = { code: 'more_than_owed', message: expect.stringContaining('$549.99 is being taken back') };
  await expect(repay(seller, 549.99, 'at the same time')).rejects.toMatchObject(refusal);
  await expect(writeOff(seller, 1)).rejects.toMatchObject(refusal);
  await shop.cards.releaseHeldCalls();
  await payouts;
  expect(await money(seller)).toMatchObject({ owed: 0, due: 0, paid: 0 });
});

test('sellers read only their own debt', async () => {
  const seller = await shop.seller();
  expect(await money(seller)).toMatchObject({ owed: 0 });
  for (const call of [
    () => seller.client.call(settlements.listDebts, { query: {} }),
    () => seller.client.call(settlements.listSettlements, { query: {} }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'not_allowed' });
  }
});

test('the sums that the trigger keeps follow from the ledger after repayments and write-offs', async () => {
  const { rows } = await shop.connection.pool.query(`
    select seller_id from seller_balances
     where balance_cents <> (select -sum(amount_cents) from ledger_entries
                              where account = 'payable' and ledger_entries.seller_id = seller_balances.seller_id)
        or paid_cents <> (select coalesce(sum(amount_cents), 0)
                            from ledger_entries join ledger_postings on ledger_postings.id = posting_id
                           where account = 'payable' and ledger_entries.seller_id = seller_balances.seller_id
                             and kind in ('transfer', 'transfer_reversed', 'settled_by_hand', 'repaid_by_hand'))`);
  expect(rows).toEqual([]);
  const violations = await findLedgerViolations(shop.connection.pool);
  expect(violations.filter((violation) => violation.includes('does not balance'))).toEqual([]);
});
