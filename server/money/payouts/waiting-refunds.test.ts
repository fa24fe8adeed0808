// Refunds of orders whose money has left to the seller: the transfer is reversed first, the refund is what came back, and the rest is an
// admin's decision.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readShopMoney } from '#contract/money/accounting.ts';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { listDebts, recordSettlement } from '#contract/money/settlements.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { answerAsSeller, complain } from '#contract/sales/complaints.ts';
import {
  confirmOrder,
  listWaitingRefunds,
  payWaitingRefund,
  readOrder,
  refundOrder,
} from '#contract/sales/orders.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { subjectsTo } from '#tests/harness/sales/booked-laptop.ts';
import { completeOrder, type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let admin: Person;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
  admin = await shop.admin();
  // Refunds and fees come from the same balance as transfers.
  await shop.cards.topUp(1_000_000);
  await shop.cards.settleFunds();
});
afterEach(async () => {
  await waitForJobs();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
});
afterAll(() => shop.close());

async function waitForJobs() {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
}

const params = ({ orderId }: Sale) => ({ _id: orderId });
const read = (sale: Sale) => admin.client.call(readOrder, { params: params(sale) });
const refundsOf = async (sale: Sale) =>
  (await read(sale)).refunds.map(({ amount, state }) => [amount, state]).sort();
const moneyOf = ({ seller }: Sale) => seller.client.call(readOwnMoney, {});
const refundedCents = ({ transactionId }: Sale) => shop.cards.refundedCents(transactionId);
const waiting = () => admin.client.call(listWaitingRefunds, { query: {} });

/** A sale whose seller was paid through the card processor. */
async function paidOutSale(): Promise<Sale> {
  const sale = await harness.sellAndRelease(shop, await harness.onboardedSeller(shop));
  await shop.runPayouts();
  expect(await moneyOf(sale)).toMatchObject({ due: 0, paid: 522 });
  // A transfer can be reversed once its money is available to the account.
  await shop.cards.settleFunds();
  return sale;
}

/** The buyer complains, and the seller gives the whole price back. */
async function giveBack(sale: Sale): Promise<void> {
  const body = { kind: 'does_not_work', text: 'It does not start.' } as const;
  await sale.buyer.client.call(complain, { params: params(sale), body });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
}

/** Empties the seller's account at the card processor. */
const emptyAccount = () => shop.cards.payOut();

test('what the seller got waits until the transfer is reversed; the commission goes back at once', async () => {
  const sale = await paidOutSale();
  await giveBack(sale);
  await waitForJobs();
  expect(await refundsOf(sale)).toEqual([
    [27.99, 'done'],
    [522, 'waiting'],
  ]);
  expect(await refundedCents(sale)).toBe(2_799);
  await shop.runPayouts();
  await waitForJobs();
  expect(await refundedCents(sale)).toBe(54_999);
  expect((await refundsOf(sale)).map(([, state]) => state)).toEqual(['done', 'done']);
  expect(await moneyOf(sale)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
});

test('a seller and a buyer who are one person get nothing of the shop’s own money: what does not come back waits for an admin', async () => {
  const sale = await paidOutSale();
  await emptyAccount();
  await giveBack(sale);
  await shop.runPayouts();
  await waitForJobs();
  await shop.reconcile(new Date());
  expect(await refundedCents(sale)).toBe(2_799);
  expect(await moneyOf(sale)).toMatchObject({ owed: 522 });
  const [item] = (await waiting()).filter(({ orderId }) => orderId === sale.orderId);
  expect(item).toMatchObject({ amount: 522, why: expect.stringContaining('could not give it back') });

  // Nobody is told about one that is back within the hour; afterwards buyer and admins are told once.
  const told = () => [
    subjectsTo(shop, sale.buyer).filter((subject) => subject.endsWith(' waits')).length,
    subjectsTo(shop, admin).filter((subject) => subject.startsWith('A refund waits')).length,
  ];
  expect(told()).toEqual([0, 0]);
  await shop.reconcile(inHours(2));
  await shop.reconcile(inHours(3));
  await waitForJobs();
  expect(told()).toEqual([1, 1]);

  const pay = () => admin.client.call(payWaitingRefund, { params: { _id: item?._id ?? '' } });
  expect(await pay()).toMatchObject({ modifiedCount: 1 });
  expect(await pay()).toMatchObject({ modifiedCount: 0 });
  await waitForJobs();
  expect(await refundedCents(sale)).toBe(54_999);
  // The seller keeps owing it.
  expect(await moneyOf(sale)).toMatchObject({ owed: 522 });
  const [entry] = await admin.client.call(listAuditTrail, { query: {} });
  expect(entry).toMatchObject({ act: 'Paid waiting refund', note: '$522.00' });
});

test('a refund goes on by itself as far as the seller’s next sales cover it', { tags: 'long' }, async () => {
  const sale = await paidOutSale();
  await emptyAccount();
  await giveBack(sale);
  await shop.runPayouts();
  await waitForJobs();
  // $300 less the commission.
  const next = await sellLaptop(shop, { seller: sale.seller, price: 300 });
  await next.buyer.client.call(confirmOrder, { params: params(next) });
  await shop.reconcile(new Date());
  await waitForJobs();
  // The next buyer can still complain and get the money back.
  expect(await refundedCents(sale)).toBe(2_799);
  await completeOrder(shop, next.orderId);
  await shop.reconcile(new Date());
  await waitForJobs();
  const { owed } = await moneyOf(sale);
  expect(owed).toBeCloseTo(522 - 284.5, 2);
  expect(await refundedCents(sale)).toBe(2_799 + 28_450);
  expect((await waiting()).find(({ orderId }) => orderId === sale.orderId)?.amount).toBe(owed);
});

test('while a refund waits for a repayment, a released sale of the seller changes neither the list of debts nor what can be repaid', async () => {
  const sale = await paidOutSale();
  await emptyAccount();
  await giveBack(sale);
  await shop.runPayouts();
  await waitForJobs();
  const { seller } = sale;
  const before = await admin.client.call(readShopMoney, {});
  const next = await sellLaptop(shop, { seller, price: 600 });
  await next.buyer.client.call(confirmOrder, { params: params(next) });
  await waitForJobs();

  // Sellers are paid at the release here: the next payout sets the debt off.
  expect(await moneyOf(sale)).toMatchObject({ owed: 0, due: 47.5 });
  const listed = await admin.client.call(listDebts, { query: {} });
  expect(listed.find(({ _id }) => _id === seller.userId)?.owed).toBe(522);
  const money = await admin.client.call(readShopMoney, {});
  expect(money.owedCents).toBe(before.owedCents);
  expect(money.dueCents - before.dueCents).toBe(56_950);
  await expect(
    seller.client.call(deleteOwnAccount, { query: { email: seller.email } }),
  ).rejects.toMatchObject({ code: 'money_on_its_way' });
  const repay = (amount: number) =>
    admin.client.call(recordSettlement, {
      body: { kind: 'repaid', sellerId: seller.userId, amount, note: `repaid ${amount}` },
    });
  await expect(repay(522.01)).rejects.toMatchObject({ code: 'more_than_owed' });
  await repay(522);
  await waitForJobs();
  expect(await refundedCents(sale)).toBe(54_999);
  expect(await moneyOf(sale)).toMatchObject({ owed: 0 });
  await completeOrder(shop, next.orderId);
  expect(await moneyOf(sale)).toMatchObject({ owed: 0, due: 569.5 });
  await shop.runPayouts();
});

test('sales that can still be complained about cover no refund: two fake sales do not pay each other back', async () => {
  const first = await paidOutSale();
  await emptyAccount();
  // Its transfer is held back, as after a change of the bank account.
  await shop.connection.pool.query(
    `update payout_accounts set transfers_paused_until = now() + interval '1 day' where seller_id = $1`,
    [first.seller.userId],
  );
  const second = await harness.sellAndRelease(shop, first.seller);
  await shop.runPayouts();
  await giveBack(first);
  await waitForJobs();
  expect(await refundedCents(first)).toBe(2_799);
  await shop.runPayouts();
  await giveBack(second);
  await waitForJobs();
  await shop.runPayouts();
  await shop.reconcile(new Date());
  await waitForJobs();
  // Both prices came in; $522.00 went to the seller, and no more than the rest went back.
  expect((await refundedCents(first)) + (await refundedCents(second))).toBe(2 * 54_999 - 52_200);
});

test('a transfer that was too much is taken back, although a sale that can be complained about is due', {
  tags: 'long',
}, async () => {
  const first = await paidOutSale();
  await shop.connection.pool.query(
    `update payout_accounts set transfers_paused_until = now() + interval '1 day' where seller_id = $1`,
    [first.seller.userId],
  );
  await harness.sellAndRelease(shop, first.seller);
  await giveBack(first);
  await shop.runPayouts();
  await waitForJobs();
  expect(await refundedCents(first)).toBe(54_999);
});

test('a part refund of a transferred order waits for that part of the transfer', {
  tags: 'long',
}, async () => {
  const sale = await paidOutSale();
  await admin.client.call(refundOrder, {
    params: params(sale),
    body: { amount: 100, from: 'seller', text: 'The battery is worn out.' },
  });
  await waitForJobs();
  expect(await refundedCents(sale)).toBe(509);
  await shop.runPayouts();
  await waitForJobs();
  expect(await refundedCents(sale)).toBe(10_000);
  // Goodwill is the shop's own money and does not wait.
  await admin.client.call(refundOrder, {
    params: params(sale),
    body: { amount: 10, from: 'shop', text: 'Thank you for waiting.' },
  });
  await waitForJobs();
  expect(await refundedCents(sale)).toBe(11_000);
});

test('of a seller who was paid by hand it waits, too; before the payment it does not', async () => {
  const seller = await shop.seller();
  const unpaid = await harness.sellAndRelease(shop, seller);
  await giveBack(unpaid);
  await waitForJobs();
  expect(await refundedCents(unpaid)).toBe(54_999);

  const sale = await harness.sellAndRelease(shop, seller);
  await admin.client.call(recordSettlement, {
    body: { kind: 'paid', sellerId: seller.userId, amount: 522, note: 'bank 1' },
  });
  await giveBack(sale);
  await waitForJobs();
  expect(await refundedCents(sale)).toBe(2_799);
  const [item] = (await waiting()).filter(({ orderId }) => orderId === sale.orderId);
  expect(item).toMatchObject({ amount: 522, why: expect.stringContaining('paid outside') });
  await admin.client.call(payWaitingRefund, { params: { _id: item?._id ?? '' } });
});

test('only admins see and pay the refunds that wait', async () => {
  for (const person of [await shop.buyer(), await shop.seller()]) {
    await expect(person.client.call(listWaitingRefunds, { query: {} })).rejects.toMatchObject({
      code: 'not_allowed',
    });
  }
  const unknown = { params: { _id: '00000000-0000-4000-8000-000000000000' } };
  await expect(admin.client.call(payWaitingRefund, unknown)).rejects.toMatchObject({ code: 'not_found' });
});
