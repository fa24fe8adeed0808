import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { createPayoutProcessor } from '#server/providers/stripe-connect.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { logMoney, type MoneyDependencies } from './money.ts';

let shop: TestShop;
let dependencies: MoneyDependencies;
beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
  const platform = createPayoutProcessor({
    secretKey: shop.cards.secretKey,
    apiUrl: new URL(shop.cards.origin),
  });
  dependencies = {
    database: shop.connection.database,
    platform,
    shop: () => ({
      ...{ ...defaultShopSettings, commission: harness.commission },
      payoutMethod: 'card_processor',
    }),
  };
});
afterAll(() => shop.close());

/** What the shop logs at its start. */
async function logged(changes: Partial<MoneyDependencies> = {}) {
  const lines: { level: number; msg: string; account?: unknown }[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  await logMoney({ ...dependencies, ...changes }, logger);
  const warnings = lines.filter(({ level }) => level >= 40).map(({ msg }) => msg);
  return { account: lines.find(({ account }) => account !== undefined)?.account, warnings };
}

test('the start logs the payout schedule, and warns of one that takes the held money away', async () => {
  expect(await logged()).toMatchObject({ account: { payoutInterval: 'manual' }, warnings: [] });
  const seller = await harness.onboardedSeller(shop);
  await harness.sellAndRelease(shop, seller);
  await shop.cards.stripe.balanceSettings.update({
    payments: { payouts: { schedule: { interval: 'daily' } } },
  });
  const { account, warnings } = await logged();
  expect(account).toMatchObject({ payoutInterval: 'daily', balance: { pendingCents: 53_374 } });
  // Then the settings say that sellers are paid by hand.
  const byHand = { ...defaultShopSettings, commission: harness.commission };
  expect((await logged({ shop: () => byHand })).warnings).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/by itself \(daily\).*manual.*\$522\.00 now/)]);
  await shop.cards.stripe.balanceSettings.update({
    payments: { payouts: { schedule: { interval: 'manual' } } },
  });
  expect((await logged()).warnings).toEqual([]);
});

test('the start warns of a commission that does not cover the fee, and goes on when the card processor does not answer', async () => {
  expect((await logged({ shop: () => defaultShopSettings })).warnings).toEqual([
    expect.stringContaining('which leaves −$16.25. Raise the commission'),
  ]);
  await shop.cards.setFaults({ calls: [{ path: '/v1/balance', kind: 'error', status: 500, times: 3 }] });
  const { account, warnings } = await logged();
  expect(account).toMatchObject({ problem: expect.stringContaining('The card processor failed') });
  expect(warnings).toEqual([expect.stringContaining('The balance and the payout schedule are unknown')]);
});
