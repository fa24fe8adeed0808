import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readPayoutAccount } from '#contract/money/payouts.ts';
import { recordSettlement } from '#contract/money/settlements.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { subjectsTo } from '#tests/harness/sales/booked-laptop.ts';

let shop: TestShop;
let admins: readonly [Person, Person];
beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
  admins = [await shop.admin(), await shop.admin()];
});
afterAll(() => shop.close());

const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const refused = 'A transfer to a seller was refused';
const told = () =>
  admins.map((admin) => subjectsTo(shop, admin).filter((subject) => subject === refused).length);

async function refusedTransfers(): Promise<string | undefined> {
  const text = await (await fetch(`${shop.origin}/metrics`)).text();
  return /^coomercio_transfers_refused (\d+)$/m.exec(text)?.[1];
}

test('a transfer that the swept balance does not cover is told to each admin once, is counted, and is made when money comes', async () => {
  using warn = vi.spyOn(shop.logger, 'warn');
  const seller = await harness.onboardedSeller(shop);
  const { orderId } = await harness.sellAndRelease(shop, seller);
  // The charge settles, and automatic payouts take its money to the shop's bank.
  await shop.cards.settleFunds();
  const { available } = await shop.cards.stripe.balance.retrieve();
  await shop.cards.stripe.payouts.create({ amount: available[0]?.amount ?? 0, currency: 'usd' });
  await shop.runPayouts();
  await waitForEmptyQueue(shop.connection.pool);
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  expect(told()).toEqual([1, 1]);
  const mail = shop.mails.find(({ subject }) => subject === refused);
  expect(mail?.text).toContain('$522.00');
  expect(mail?.text).toContain('The balance at the card processor does not suffice');
  expect(await refusedTransfers()).toBe('1');

  await shop.runPayouts(later(11));
  await shop.runPayouts(later(60));
  await waitForEmptyQueue(shop.connection.pool);
  expect(told()).toEqual([1, 1]);
  const logged = { transfer: expect.any(String), order: orderId, amountCents: 52_200 };
  expect(warn.mock.calls).toEqual([[expect.objectContaining(logged), 'a transfer to a seller was refused']]);

  await shop.cards.topUp(60_000);
  await shop.cards.settleFunds();
  await shop.runPayouts(later(24 * 60));
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
});

test('a refused transfer whose money was paid by hand is refused no more', async () => {
  const seller = await harness.onboardedSeller(shop);
  await harness.sellAndRelease(shop, seller);
  await shop.cards.settleFunds();
  const settled = await shop.cards.stripe.balance.retrieve();
  await shop.cards.stripe.payouts.create({ amount: settled.available[0]?.amount ?? 0, currency: 'usd' });
  await shop.runPayouts();
  const [admin] = admins;
  const state = async () => {
    const waiting = await admin.client.call(listToDo, {});
    return {
      metric: await refusedTransfers(),
      waiting: waiting.find(({ kind }) => kind === 'refused_transfer')?.count ?? 0,
      seller: (await seller.client.call(readPayoutAccount, {})).refusedTransfer !== null,
    };
  };
  // Metrics are kept for a few seconds.
  const expectState = (expected: Awaited<ReturnType<typeof state>>) =>
    expect.poll(state, { timeout: 15_000 }).toEqual(expected);
  await expectState({ metric: '1', waiting: 1, seller: true });
  await admin.client.call(recordSettlement, {
    body: { kind: 'paid', sellerId: seller.userId, amount: 522, note: 'by hand' },
  });
  await expectState({ metric: '0', waiting: 0, seller: false });
  // A later sale is due by itself.
  await harness.sellAndRelease(shop, seller);
  await expectState({ metric: '0', waiting: 0, seller: false });
});
