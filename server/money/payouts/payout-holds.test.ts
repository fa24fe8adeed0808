// Money that cannot be paid yet: while the buyer can complain, while a complaint is open, and while a bank disputes a payment.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { deleteBuyer, deleteSeller } from '#contract/operations/user-admin.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { complain } from '#contract/sales/complaints.ts';
import { confirmOrder, refundOrder } from '#contract/sales/orders.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { completeOrder, type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { recordSettlement } from './settlements.ts';

/** Stripe's test card whose charges are disputed. */
const DISPUTED_CARD = '4000000000000259';
/** A bank account that returns what is paid out to it: the money stays in the seller's account at the card processor. */
const RETURNING_BANK = '000111111116';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: harness.commission, payoutAfter: 'completed' },
  });
  admin = await shop.admin();
  // Disputes and their fees come from the same balance as transfers.
  await shop.cards.topUp(1_000_000);
  await shop.cards.settleFunds();
});
afterEach(() => shop.cards.setFaults({}));
afterAll(async () => {
  await events();
  await shop.runPayouts();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await shop.close();
});

const events = async () => {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
};
const money = (seller: Person) => seller.client.call(contract.readOwnMoney, {});
const sales = (seller: Person) => seller.client.call(contract.listOwnSales, { query: {} });
const transfersOf = (sale: Sale) => harness.transfersOf(shop, sale.orderId);
const settle = (seller: Person, amount: number, reference: string) =>
  admin.client.call(settlements.recordSettlement, {
    body: { kind: 'paid', sellerId: seller.userId, amount, note: reference },
  });
const amountDueTo = async (seller: Person) =>
  (await admin.client.call(settlements.listAmountsDue, { query: {} })).find(
    ({ _id }) => _id === seller.userId,
  );
const csv = async () => (await admin.client.call(settlements.exportAmountsDue, {})).lines.join('\n');

/** A seller whose bank returns payouts, so that the money stays in the account. */
async function connectedSeller(): Promise<Person> {
  const seller = await shop.seller();
  await harness.onboard(shop, seller, { bankAccount: RETURNING_BANK });
  return seller;
}

/** Lets the time for complaints about an order pass. */
async function complete({ orderId }: Sale): Promise<void> {
  const { pool, database } = shop.connection;
  await pool.query(`update orders set due_at = now() - interval '1 minute' where id = $1`, [orderId]);
  await moveOverdueOrders({ database, enqueue: shop.enqueue }, new Date());
}

/** Lets the buyers' banks dispute payments, and sellers' banks return payouts. */
async function openDisputes(): Promise<void> {
  await shop.cards.runDelayedOutcomes();
  await shop.cards.runDelayedOutcomes();
  await events();
}

/** Lets an account be paid out again, whose bank returned a payout. */
async function payOutAgain(seller: Person): Promise<void> {
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), {
    onboarding: { outcome: 'pass', bankAccount: RETURNING_BANK },
  });
  await events();
  await seller.client.call(contract.refreshPayoutAccount, {});
}

async function disputeOf({ transactionId }: Sale) {
  const [dispute] = (await shop.cards.stripe.disputes.list({ payment_intent: transactionId })).data;
  if (dispute === undefined) throw new Error('Nobody disputed it.');
  return dispute;
}

const decide = async (sale: Sale, evidence: 'winning_evidence' | 'losing_evidence') => {
  await shop.cards.stripe.disputes.update((await disputeOf(sale)).id, {
    evidence: { uncategorized_text: evidence },
  });
  await events();
};

/** The balances of an order's accounts in the ledger, in cents. */
async function balancesOf({ orderId }: Sale): Promise<Record<string, number>> {
  const { rows } = await shop.connection.pool.query<{ account: string; cents: number }>(
    `select account, sum(amount_cents)::int as cents from ledger_entries
      where order_id = $1 group by account having sum(amount_cents) <> 0 order by account`,
    [orderId],
  );
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}

test('a released sale waits until nobody can complain: it is neither transferred nor paid by hand before', async () => {
  const seller = await connectedSeller();
  const sale = await harness.sellAndRelease(shop, seller);
  await shop.runPayouts();
  expect(await transfersOf(sale)).toEqual([]);
  const { waiting, ...rest } = await money(seller);
  expect(rest).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  expect(waiting?.amount).toBe(522);
  expect(Date.parse(waiting?.from ?? '') - Date.now()).toBeGreaterThan(13.9 * DAY_MS);
  expect(await sales(seller)).toMatchObject([{ state: 'waiting', due: 522, paidAfter: waiting?.from }]);
  expect(await amountDueTo(seller)).toMatchObject({ due: 0, waiting: 522 });
  expect(await csv()).not.toContain(seller.email);
  await expect(settle(seller, 1, 'too early')).rejects.toMatchObject({
    code: 'more_than_due',
    message: expect.stringContaining('$522.00 can be paid when the time for complaints is over'),
  });
  expect(await seller.client.call(contract.readPayoutAccount, {})).toMatchObject({
    payoutAfter: 'completed',
  });
  await waitForEmptyQueue(shop.connection.pool);
  const mail = shop.mails.find(({ to, text }) => to === seller.email && text.includes('has confirmed'));
  expect(mail?.text).toContain('It is paid to you after');

  await complete(sale);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 522, paid: 0, owed: 0 });
  expect(await amountDueTo(seller)).toEqual(expect.objectContaining({ due: 522, sellerEmail: seller.email }));
  expect(await csv()).toContain(`"${seller.email}",522.00`);
  await shop.runPayouts();
  expect(await transfersOf(sale)).toEqual([52_200]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
});

test('a sale that can be complained about covers no debt: the seller goes on owing it, and can repay it', async () => {
  const seller = await harness.onboardedSeller(shop);
  const sale = await harness.sellAndRelease(shop, seller);
  await completeOrder(shop, sale.orderId);
  await shop.runPayouts();
  await shop.cards.payOut();
  await admin.client.call(refundOrder, {
    params: { _id: sale.orderId },
    body: { amount: 549.99, from: 'seller', text: 'It was stolen goods.' },
  });
  await shop.runPayouts();
  await events();
  const owing = { owed: 522, repayment: { reference: expect.stringMatching(/^SELLER-/) } };
  expect(await money(seller)).toMatchObject(owing);
  await harness.sellAndRelease(shop, seller, { price: 600 });
  expect(await money(seller)).toMatchObject({ ...owing, due: 0, waiting: { amount: 569.5 } });
  expect(await amountDueTo(seller)).toMatchObject({ due: 0, waiting: 569.5 });
  await admin.client.call(settlements.recordSettlement, {
    body: { kind: 'repaid', sellerId: seller.userId, amount: 522, note: 'SELLER 1' },
  });
  await events();
  expect(await shop.cards.refundedCents(sale.transactionId)).toBe(54_999);
  expect(await money(seller)).toMatchObject({ owed: 0, waiting: { amount: 569.5 } });
});

test('an open complaint stops a sale, and settled debts are set off against what can be paid first', async () => {
  const seller = await connectedSeller();
  const [first, second, third] = [
    await harness.sellAndRelease(shop, seller),
    await harness.sellAndRelease(shop, seller),
    await harness.sellAndRelease(shop, seller),
  ];
  await complete(first);
  await settle(seller, 22, 'a part');
  await third.buyer.client.call(complain, {
    params: { _id: third.orderId },
    body: { kind: 'does_not_work', text: 'It does not start.' },
  });
  expect(await money(seller)).toMatchObject({
    due: 500,
    waiting: { amount: 522 },
    stopped: { amount: 522, isDisputed: false },
    paid: 22,
  });
  expect((await sales(seller)).map(({ state, due }) => [state, due])).toEqual([
    ['stopped', 522],
    ['waiting', 522],
    ['due', 500],
  ]);
  await shop.runPayouts();
  expect(await Promise.all([first, second, third].map(transfersOf))).toEqual([[50_000], [], []]);
});

test('what can be paid at the release is kept as well, for shops that pay then', async () => {
  const seller = await connectedSeller();
  await harness.sellAndRelease(shop, seller);
  const { rows } = await shop.connection.pool.query(
    'select free_after_completion_cents::int as completed, free_after_release_cents::int as released from seller_balances where seller_id = $1',
    [seller.userId],
  );
  expect(rows).toEqual([{ completed: 0, released: 52_200 }]);
});

test('a reversal that did not reach the card processor is not made once the bank has decided for the shop', async () => {
  const seller = await connectedSeller();
  const sale = await harness.sellAndRelease(shop, seller, { card: DISPUTED_CARD });
  await complete(sale);
  await shop.runPayouts();
  await openDisputes();
  await shop.cards.setFaults({
    calls: [
      { method: 'POST', path: '/v1/transfers/*/reversals', kind: 'disconnect', moment: 'before', times: 3 },
    ],
  });
  await expect(shop.runPayouts()).rejects.toThrow();
  await decide(sale, 'winning_evidence');
  await shop.runPayouts(new Date(Date.now() + 3 * 60_000));
  expect(await harness.readTransfers(shop, sale.orderId)).toMatchObject([
    { amount: 52_200, amount_reversed: 0 },
  ]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522, owed: 0 });
});

/** Two sales of a seller, both completed and the first one transferred, whose payments a bank can dispute. */
async function paidAndNext(card = DISPUTED_CARD) {
  const seller = await connectedSeller();
  const paid = await harness.sellAndRelease(shop, seller, { card });
  await complete(paid);
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ paid: 522 });
  return { seller, paid };
}

test('a dispute after the payout: the transfer is taken back, and the next sale waits; when it is won, both are transferred', async () => {
  const { seller, paid } = await paidAndNext();
  await openDisputes();
  await payOutAgain(seller);
  const next = await harness.sellAndRelease(shop, seller);
  await complete(next);
  await shop.runPayouts();
  await shop.runPayouts();
  await events();
  expect(await transfersOf(next)).toEqual([]);
  const { data } = await shop.cards.stripe.transfers.list({ limit: 100 });
  expect(data.filter(({ metadata }) => metadata.orderId === paid.orderId)).toMatchObject([
    { amount: 52_200, amount_reversed: 52_200 },
  ]);
  expect(await money(seller)).toEqual({
    ...{ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 },
    stopped: { amount: 1_044, isDisputed: true },
  });
  expect((await sales(seller)).map(({ state }) => state)).toEqual(['stopped', 'disputed']);
  expect(await amountDueTo(seller)).toMatchObject({ due: 0, stopped: { amount: 1_044, isDisputed: true } });
  await expect(settle(seller, 522, 'disputed')).rejects.toMatchObject({
    message: expect.stringContaining('A bank disputes a payment of this seller'),
  });
  const told = shop.mails.filter(
    ({ to, text }) => to === seller.email && text.includes('disputes the payment'),
  );
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain('nothing is paid to you');

  await decide(paid, 'winning_evidence');
  expect(await money(seller)).toMatchObject({ due: 1_044, paid: 0 });
  await shop.runPayouts();
  await shop.runPayouts();
  await events();
  // The newest transfer is listed first.
  expect(await transfersOf(paid)).toEqual([52_200, 52_200]);
  expect(await transfersOf(next)).toEqual([52_200]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 1_044, owed: 0 });
});

test('a dispute after the payout that is lost: nothing is owed twice, and the next sale is paid', async () => {
  const { seller, paid } = await paidAndNext();
  await openDisputes();
  await payOutAgain(seller);
  const next = await harness.sellAndRelease(shop, seller);
  await complete(next);
  await shop.runPayouts();
  await decide(paid, 'losing_evidence');
  expect(await balancesOf(paid)).toEqual({ disputed: -54_999 });
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 522, paid: 0, owed: 0 });
  await shop.runPayouts();
  expect(await transfersOf(next)).toEqual([52_200]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
});

test('an account that the bank has emptied: the refused reversal is tried daily, and nothing else is paid', async () => {
  const { seller, paid } = await paidAndNext();
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), {
    onboarding: { outcome: 'pass', bankAccount: '000123456789' },
  });
  await shop.cards.payOut();
  await shop.cards.runDelayedOutcomes();
  await events();
  await shop.runPayouts();
  const next = await harness.sellAndRelease(shop, seller);
  await complete(next);
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({
    due: 0,
    paid: 522,
    stopped: { amount: 522, isDisputed: true },
  });
  const attempts = async () =>
    (
      await shop.connection.pool.query(
        `select transfer_reversals.state from transfer_reversals join transfers on transfers.id = transfer_reversals.transfer_id
          where order_id = $1`,
        [paid.orderId],
      )
    ).rows;
  expect(await attempts()).toEqual([{ state: 'refused' }]);
  await shop.runPayouts(new Date(Date.now() + 1.1 * DAY_MS));
  expect(await attempts()).toHaveLength(2);
  await decide(paid, 'losing_evidence');
  // The next sale pays the debt.
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
});

test('a dispute that opens while a transfer is on its way: it is recorded, and then taken back', async () => {
  const seller = await connectedSeller();
  const sale = await harness.sellAndRelease(shop, seller, { card: DISPUTED_CARD });
  await complete(sale);
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v1/transfers', kind: 'hold', moment: 'after' }],
  });
  const round = shop.runPayouts();
  await shop.cards.waitForHeldCalls(1);
  await openDisputes();
  await shop.cards.releaseHeldCalls();
  await round;
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ due: 0, paid: 0, stopped: { amount: 522, isDisputed: true } });
  await decide(sale, 'losing_evidence');
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
});

test('disputes of two orders: the first decision pays nothing, the second one does', async () => {
  const { seller, paid } = await paidAndNext();
  const other = await harness.sellAndRelease(shop, seller, { card: DISPUTED_CARD });
  await complete(other);
  const third = await harness.sellAndRelease(shop, seller);
  await complete(third);
  await openDisputes();
  await payOutAgain(seller);
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ due: 0, stopped: { amount: 1_566, isDisputed: true } });
  await decide(paid, 'winning_evidence');
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({
    due: 0,
    paid: 0,
    stopped: { amount: 1_566, isDisputed: true },
  });
  await decide(other, 'losing_evidence');
  await shop.runPayouts();
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 1_044, owed: 0 });
});

test('what a closed account owes stays a debt and is not asked for again', async () => {
  const seller = await connectedSeller();
  const sale = await harness.sellAndRelease(shop, seller);
  await complete(sale);
  await shop.runPayouts();
  await shop.cards.payOut();
  await events();
  await shop.connection.pool.query(
    `update orders set state = 'released', due_at = now() + interval '1 day' where id = $1`,
    [sale.orderId],
  );
  await harness.refundOrder(shop, sale.orderId);
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), { closed: true });
  await events();
  for (const days of [0, 2, 4]) await shop.runPayouts(new Date(Date.now() + days * DAY_MS));
  expect(await money(seller)).toMatchObject({ owed: 522 });
  const { rows } = await shop.connection.pool.query(
    'select from transfer_reversals join transfers on transfers.id = transfer_reversals.transfer_id where seller_id = $1',
    [seller.userId],
  );
  expect(rows).toEqual([]);
});

const leave = (person: Person) => person.client.call(deleteOwnAccount, { query: { email: person.email } });

test('nobody deletes an account while an order of theirs can be complained about', async () => {
  const seller = await shop.seller();
  const sale = await sellLaptop(shop, { seller });
  await expect(leave(sale.buyer)).rejects.toMatchObject({
    code: 'money_on_its_way',
    message: expect.stringContaining('not over yet'),
  });
  await sale.buyer.client.call(confirmOrder, {
    params: { _id: sale.orderId },
  });
  const { rows } = await shop.connection.pool.query<{ day: string }>(
    `select to_char(due_at at time zone 'UTC', 'FMMonth FMDD, YYYY') as day from orders where id = $1`,
    [sale.orderId],
  );
  await expect(leave(sale.buyer)).rejects.toMatchObject({
    message: expect.stringContaining(`until ${rows[0]?.day}`),
  });
  // Paid before the time is over, as an operator can configure.
  await shop.connection.database.transaction().execute((transaction) =>
    recordSettlement(
      transaction,
      { enqueue: shop.enqueue, shop: () => ({ payoutAfter: 'release' }) },
      {
        ...admin,
        name: 'Ada',
        roles: ['Admin'],
        isOwner: true,
        areas: [],
        secondFactorDue: false,
        authenticatedAt: null,
        sessionId: null,
        expiresAt: 0,
      },
      { kind: 'paid', sellerId: seller.userId, amount: 52_200, note: 'at the release' },
    ),
  );
  await expect(leave(seller)).rejects.toMatchObject({
    message: expect.stringContaining(`until ${rows[0]?.day}`),
  });
  await complete(sale);
  expect(await leave(sale.buyer)).toMatchObject({ deletedCount: 1 });
  expect(await leave(seller)).toMatchObject({ deletedCount: 1 });
});

test('an admin who ends an account is told which orders go on, and the audit trail says so', async () => {
  const sale = await sellLaptop(shop);
  const ended = await admin.client.call(deleteSeller, { params: { _id: sale.seller.userId } });
  expect(ended).toMatchObject({
    deletedCount: 1,
    message: expect.stringContaining('EliteBook 840 G8'),
  });
  const other = await harness.sellAndRelease(shop, await shop.seller());
  expect(await admin.client.call(deleteBuyer, { params: { _id: other.buyer.userId } })).toMatchObject({
    deletedCount: 1,
    message: expect.stringContaining('can be complained about'),
  });
});

test('the sellers of a buyer whom an admin ends are told what becomes of the sale, and the admin by its state', async () => {
  const held = await sellLaptop(shop);
  const sent = await sellLaptop(shop, { buyer: held.buyer, address: sampleAddress });
  const end = (buyer: Person) => admin.client.call(deleteBuyer, { params: { _id: buyer.userId } });
  const { message } = await end(held.buyer);
  expect(message).toContain(
    'A parcel to this buyer that is not sent, or not shown to have arrived, is refunded',
  );
  expect(message).toContain('other held money is released to the seller');
  const toShip = await sellLaptop(shop, { address: sampleAddress });
  expect((await end(toShip.buyer)).message).not.toContain('released');
  await waitForEmptyQueue(shop.connection.pool);
  const toldTo = ({ seller }: Sale) =>
    shop.mails.filter(
      ({ to, text }) => to === seller.email && text.includes('has ended the buyer’s account'),
    );
  expect(toldTo(held)).toMatchObject([{ text: expect.stringContaining('the money is released to you on') }]);
  for (const sale of [sent, toShip]) {
    expect(toldTo(sale)).toMatchObject([{ text: expect.stringContaining('cancel the sale on the order') }]);
  }
});

test('a seller whom an admin ends gets nothing automatically: buyers are told, and silence is refunded', async () => {
  const seller = await connectedSeller();
  const [held, released] = [await sellLaptop(shop, { seller }), await harness.sellAndRelease(shop, seller)];
  await complete(released);
  await admin.client.call(deleteSeller, { params: { _id: seller.userId } });
  await waitForEmptyQueue(shop.connection.pool);
  const told = shop.mails.filter(
    ({ to, text }) => to === held.buyer.email && text.includes('has ended the seller’s account'),
  );
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain('confirm it on the order');
  expect(shop.mails.filter(({ to, text }) => to === released.buyer.email && text.includes('ended'))).toEqual(
    [],
  );

  await shop.runPayouts();
  expect(await transfersOf(released)).toEqual([]);
  expect(await amountDueTo(seller)).toMatchObject({ due: 522, hasEnded: true });
  expect(await csv()).toContain(`522.00,${seller.userId},ended`);
  await settle(seller, 522, 'decided by a person');

  await complete(held);
  const { rows } = await shop.connection.pool.query(
    `select state, refunded_cents = price_cents as is_refunded from orders where id = $1`,
    [held.orderId],
  );
  expect(rows).toEqual([{ state: 'refunded', is_refunded: true }]);
  await shop.runPayouts();
  expect(await transfersOf(held)).toEqual([]);
  expect(await amountDueTo(seller)).toBeUndefined();
});
