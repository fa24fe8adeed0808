import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { centsFromAmount } from '#contract/platform/money.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { bookOneLaptop } from '#tests/harness/sales/booked-laptop.ts';
import { completeOrder, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: { basisPoints: 500, fixedCents: 50 } },
  });
  admin = await shop.admin();
});
afterAll(() => shop.close());

/** Sells a laptop at $549.99: the commission is $27.99, and $522.00 are the seller's. */
async function sell(seller: Person): Promise<{ orderId: string; release: () => Promise<unknown> }> {
  const booked = await bookOneLaptop(shop, seller);
  const { clientSecret } = await booked.prepare(549.99);
  await booked.report((await shop.pay(clientSecret)).transactionId);
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    'select id from orders where booking_id = $1',
    [booked.bookingId],
  );
  const orderId = rows[0]?.id ?? '';
  return {
    orderId,
    release: () => booked.buyer.client.call(confirmOrder, { params: { _id: orderId } }),
  };
}

async function sellAndRelease(seller: Person): Promise<string> {
  const { orderId, release } = await sell(seller);
  await release();
  return orderId;
}

const money = (seller: Person) => seller.client.call(contract.readOwnMoney, {});
const sales = (seller: Person) => seller.client.call(contract.listOwnSales, { query: {} });
const settle = (seller: Person, amount: number, reference: string, idempotencyKey?: string) =>
  admin.client.call(settlements.recordSettlement, {
    body: { kind: 'paid', sellerId: seller.userId, amount, note: reference },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
const amountsDue = () => admin.client.call(settlements.listAmountsDue, { query: {} });

test('a sale is held, then due, then paid by hand; the seller is told, and the audit trail names the reference', async () => {
  const seller = await shop.seller('Hanna Hand');
  const { orderId, release } = await sell(seller);
  const nothing = { currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 };
  expect(await money(seller)).toEqual({ ...nothing, held: 522 });
  expect(await sales(seller)).toMatchObject([
    { _id: orderId, price: 549.99, commission: 27.99, refunded: 0, proceeds: 522, due: 0, state: 'held' },
  ]);
  expect((await amountsDue()).map(({ _id }) => _id)).not.toContain(seller.userId);

  await release();
  expect(await money(seller)).toEqual({ ...nothing, due: 522 });
  expect(await sales(seller)).toMatchObject([{ due: 522, state: 'due', orderState: 'released' }]);
  expect(await amountsDue()).toContainEqual({
    _id: seller.userId,
    sellerName: 'Hanna Hand',
    sellerEmail: seller.email,
    hasEnded: false,
    due: 522,
  });
  const ofSeller = await admin.client.call(settlements.listSalesOfSeller, {
    params: { _id: seller.userId },
    query: {},
  });
  expect(ofSeller).toEqual(await sales(seller));

  const { insertedId } = await settle(seller, 522, 'SEPA 2026-77');
  expect(await money(seller)).toEqual({ ...nothing, paid: 522 });
  expect(await sales(seller)).toMatchObject([{ due: 0, state: 'paid' }]);
  expect(await admin.client.call(settlements.listSettlements, { query: {} })).toContainEqual({
    _id: insertedId,
    sellerName: 'Hanna Hand',
    sellerEmail: seller.email,
    amount: 522,
    kind: 'paid',
    note: 'SEPA 2026-77',
    adminName: 'Ada Admin',
    at: expect.any(String),
  });
  const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
  expect(entry).toMatchObject({
    act: 'Paid seller by hand',
    adminName: 'Ada Admin',
    subject: `Seller ${seller.userId}`,
    note: '$522.00, reference SEPA 2026-77',
  });
  await waitForEmptyQueue(shop.connection.pool);
  const mail = shop.mails.find(
    ({ to, subject }) => to === seller.email && subject === 'We have paid you $522.00',
  );
  expect(mail?.text).toContain('SEPA 2026-77');
  const { rows } = await shop.connection.pool.query(
    `select account, amount_cents from ledger_entries join ledger_postings on ledger_postings.id = posting_id
      where kind = 'settled_by_hand' and reference = $1 order by account`,
    [insertedId],
  );
  expect(rows).toEqual([
    { account: 'bank', amount_cents: '-52200' },
    { account: 'payable', amount_cents: '52200' },
  ]);
});

test('a part is set off against the oldest sale; the rest stays due', async () => {
  const seller = await shop.seller();
  const [first, second] = [await sellAndRelease(seller), await sellAndRelease(seller)];
  await settle(seller, 600, 'part');
  expect(await money(seller)).toMatchObject({ due: 444, paid: 600 });
  expect(await sales(seller)).toMatchObject([
    { _id: second, due: 444, state: 'due' },
    { _id: first, due: 0, state: 'paid' },
  ]);
});

test('a sale that is charged back after it was paid by hand is a debt, which the next sale pays', async () => {
  const seller = await shop.seller();
  const disputed = await sellLaptop(shop, { seller, card: '4000000000000259' });
  await disputed.buyer.client.call(confirmOrder, { params: { _id: disputed.orderId } });
  await settle(seller, 522, 'before the dispute');
  await shop.cards.runDelayedOutcomes();
  const [found] = (await shop.cards.stripe.disputes.list({ payment_intent: disputed.transactionId })).data;
  await shop.cards.stripe.disputes.close(found?.id ?? '');
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
  expect(await money(seller)).toEqual({
    ...{ currency: 'USD', held: 0, due: 0, paid: 522, owed: 522 },
    repayment: { payTo: null, reference: expect.stringMatching(/^SELLER-[0-9A-F]{12}$/) },
  });
  expect((await amountsDue()).map(({ sellerEmail }) => sellerEmail)).not.toContain(seller.email);

  await sellAndRelease(seller);
  expect(await money(seller)).toMatchObject({ due: 0, owed: 0 });
  await expect(settle(seller, 1, 'netted')).rejects.toMatchObject({ code: expect.any(String) });
  const later = await sellAndRelease(seller);
  expect(await money(seller)).toMatchObject({ due: 522, owed: 0 });
  expect(await sales(seller)).toMatchObject([
    { _id: later, due: 522, state: 'due' },
    { due: 0, state: 'paid' },
    { _id: disputed.orderId, due: 0, state: 'returned', proceeds: 0 },
  ]);
});

test('more than is due is refused, also when it was due a moment before', async () => {
  const seller = await shop.seller();
  await expect(settle(seller, 1, 'early')).rejects.toMatchObject({ code: 'more_than_due' });
  await sellAndRelease(seller);
  await expect(settle(seller, 522.01, 'cent')).rejects.toMatchObject({ code: 'more_than_due' });

  const outcomes = await Promise.allSettled([settle(seller, 522, 'one'), settle(seller, 522, 'two')]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'more_than_due' },
  });
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
});

test('a retry with the same key pays once, and a reference is recorded once per seller', async () => {
  const seller = await shop.seller();
  await sellAndRelease(seller);
  const first = await settle(seller, 100, 'monthly', 'key-1');
  expect(await settle(seller, 100, 'monthly', 'key-1')).toEqual(first);
  for (const same of ['monthly', 'MONTHLY', 'mon thly ']) {
    await expect(settle(seller, 100, same)).rejects.toMatchObject({ code: 'reference_used' });
  }
  expect(await money(seller)).toMatchObject({ due: 422, paid: 100 });
});

test('amounts that are no money, and references that are too long or of two lines, are refused', async () => {
  const seller = await shop.seller();
  const send = (body: object) =>
    fetch(`${shop.origin}/api/settlements`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` },
      body: JSON.stringify({ kind: 'paid', sellerId: seller.userId, amount: 1, note: 'x', ...body }),
    });
  for (const body of [
    { amount: 0 },
    { amount: -1 },
    { amount: 0.001 },
    { amount: 1_000_000.01 },
    { amount: '9'.repeat(2_000) },
    { amount: 'NaN' },
    { note: '' },
    { note: 'x'.repeat(101) },
    { note: 'two\nlines' },
    { kind: 'written_off', note: 'x'.repeat(501) },
    { kind: 'other' },
  ]) {
    expect((await send(body)).status, JSON.stringify(body).slice(0, 60)).toBe(422);
  }
  const unknown = { ...seller, userId: '00000000-0000-4000-8000-000000000000' };
  await expect(settle(unknown, 1, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
});

test('a seller reads only their own money, and another seller’s commission is shown to nobody else (spree#14622, fault 4)', async () => {
  const [seller, other] = [await shop.seller(), await shop.seller()];
  await sellAndRelease(seller);
  expect(await sales(other)).toEqual([]);
  expect(await money(other)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  for (const call of [
    () => other.client.call(settlements.listAmountsDue, { query: {} }),
    () => other.client.call(settlements.listSalesOfSeller, { params: { _id: seller.userId }, query: {} }),
    () => other.client.call(settlements.exportAmountsDue, {}),
    () => other.client.call(settlements.listSettlements, { query: {} }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'not_allowed' });
  }
});

test('the list of amounts due is paged, the largest first', async () => {
  await sellAndRelease(await shop.seller());
  const all = await amountsDue();
  expect(all.length).toBeGreaterThan(2);
  expect(all.map(({ due }) => due)).toEqual(all.map(({ due }) => due).sort((one, two) => two - one));
  const paged = await everyPage((from) =>
    admin.client.page(settlements.listAmountsDue, { query: { limit: 1, ...from } }),
  );
  expect(paged).toEqual(all);
});

test('the CSV file has a line per seller in batches, and names that are formulas stay texts', async () => {
  const { pool } = shop.connection;
  const seller = await shop.seller();
  await sellAndRelease(seller);
  await pool.query('update users set name = $1 where id = $2', ['=HYPERLINK("http://x"),1', seller.userId]);
  // More sellers than a batch has.
  await pool.query(`
    with sellers as (
      insert into users (email, name, is_seller)
        select 'csv' || i || '@sellers.example', 'Csv ' || i, true from generate_series(1, 230) as i returning id
    ) insert into seller_balances (seller_id, balance_cents) select id, 12345 from sellers`);
  const { lines } = await admin.client.call(settlements.exportAmountsDue, {});
  expect(lines[0]).toBe('Seller,Email address,Due in USD,Seller id,Account');
  expect(lines.filter((line) => line.includes('@sellers.example",123.45,'))).toHaveLength(230);
  expect(lines).toContain(`"'=HYPERLINK(""http://x""),1","${seller.email}",522.00,${seller.userId},active`);
  await pool.query(
    `delete from seller_balances where seller_id in (select id from users where email like 'csv%')`,
  );
});

test('the balance that the trigger keeps is the sum of the ledger, and what orders show adds up to it', async () => {
  const { rows } = await shop.connection.pool.query(`
    select seller_id from seller_balances
     where balance_cents <> (select -sum(amount_cents) from ledger_entries
                              where account = 'payable' and ledger_entries.seller_id = seller_balances.seller_id)
        or greatest(balance_cents, 0) <> (select coalesce(sum(due_cents), 0)
                                            from due_orders(seller_id, balance_cents, 'completed'))
        or waiting_cents <> (select coalesce(sum(payable_cents), 0) from order_payables
                              where order_payables.seller_id = seller_balances.seller_id
                                and payable_cents > 0 and hold = 'complaints')
        or stopped_cents <> (select coalesce(sum(payable_cents), 0) from order_payables
                              where order_payables.seller_id = seller_balances.seller_id
                                and payable_cents > 0 and hold = 'stopped')
        or disputed_orders <> (select count(*) from orders
                                where orders.seller_id = seller_balances.seller_id and state = 'charge_disputed')`);
  expect(rows).toEqual([]);
});

test('a seller to whom money is due, or whose sale is held, cannot delete the account before it is settled', async () => {
  const seller = await shop.seller();
  const { orderId, release } = await sell(seller);
  const leave = () => seller.client.call(deleteOwnAccount, { query: { email: seller.email } });
  await expect(leave()).rejects.toMatchObject({
    code: 'money_on_its_way',
    message: expect.stringContaining('holds'),
  });
  await release();
  await expect(leave()).rejects.toMatchObject({ message: expect.stringContaining('$522.00') });
  const { due } = await money(seller);
  expect(centsFromAmount(due)).toBe(52_200);
  await settle(seller, due, 'last one');
  await completeOrder(shop, orderId);
  expect(await leave()).toMatchObject({ deletedCount: 1 });
});
