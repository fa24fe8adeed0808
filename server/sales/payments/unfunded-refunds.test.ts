import { expect, test, vi } from 'vitest';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import { type PaymentShop, setUpPaymentShop } from '#tests/harness/sales/payment-shop.ts';

const GOOD_CARD = '4242424242424242';

let paymentShop: PaymentShop;
let shop: TestShop;

setUpPaymentShop((started) => {
  paymentShop = started;
  shop = started.shop;
});

const waits = 'A refund waits for money in the shop’s balance';
const told = () => paymentShop.admins.map((admin) => paymentShop.emailSubjectsTo(admin));
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

async function waitingRefunds(): Promise<string | undefined> {
  const text = await (await fetch(`${shop.origin}/metrics`)).text();
  return /^coomercio_refunds_waiting_for_funds (\d+)$/m.exec(text)?.[1];
}

/** Pays all available money out to the shop's bank, as automatic payouts do. */
async function sweep(): Promise<void> {
  await shop.cards.settleFunds();
  const { available } = await shop.cards.stripe.balance.retrieve();
  await shop.cards.stripe.payouts.create({ amount: available[0]?.amount ?? 0, currency: 'usd' });
}

test('a refund that the balance does not cover is told to each admin once, is counted, and is made when money comes', async () => {
  using warn = vi.spyOn(shop.logger, 'warn');
  const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(GOOD_CARD, sweep);
  await paymentShop.waitForJobs();
  expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'pending' });
  expect(told()).toEqual([[waits], [waits], []]);
  expect(await waitingRefunds()).toBe('1');
  // It is asked for again and again, and nobody is told again.
  await shop.reconcile(inHours(1));
  await shop.reconcile(inHours(3));
  await paymentShop.waitForJobs();
  expect(told()).toEqual([[waits], [waits], []]);
  expect(shop.mails.find(({ subject }) => subject === waits)?.text).toContain('$549.99');
  const logged = expect.stringMatching(/^a refund waits for funds/);
  expect(warn.mock.calls).toEqual([
    [{ refund: expect.any(String), transaction: transactionId, amountCents: 54_999 }, logged],
  ]);

  await shop.cards.topUp(60_000);
  await shop.cards.settleFunds();
  await shop.reconcile(inHours(5));
  await paymentShop.waitForJobs();
  expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'done' });
  expect(paymentShop.emailSubjectsTo(buyer)).toContain('Your money for EliteBook 840 G8 is on its way back');
});

test('a refund that takes time for another reason is told to nobody', async () => {
  await shop.cards.topUp(200_000);
  await shop.cards.settleFunds();
  const { transactionId } = await paymentShop.chargeForRemovedLaptop('4000000000007726');
  await paymentShop.waitForJobs();
  expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'pending' });
  expect(told()).toEqual([[], [], []]);
});
