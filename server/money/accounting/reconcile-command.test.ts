// Commands about money as processes of their own, in a shop with another currency than a fresh one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readShopMoney } from '#contract/money/accounting.ts';
import { runCommand } from '#tests/harness/operations/server-process.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop({ settings: { currency: 'EUR' } });
});
afterAll(() => shop.close());

const admin = (args: string[], environment: Record<string, string> = {}) =>
  runCommand('server/operations/commands/admin.ts', args, {
    DATABASE_URL: shop.database.url,
    ...environment,
  });

const reconcile = (cards: Record<string, string>, ...more: string[]) => admin(['reconcile', ...more], cards);

const keys = () => ({
  STRIPE_SECRET_KEY: shop.cards.secretKey,
  STRIPE_PUBLISHABLE_KEY: 'pk_test_reconcile',
  STRIPE_WEBHOOK_SECRET: 'whsec_reconcile',
  STRIPE_API_URL: shop.cards.origin,
});

test('reconcile reads the fees, agrees, and ends with 1 and a line for each difference', {
  timeout: 120_000,
}, async () => {
  await sellLaptop(shop);
  const reader = await shop.admin();
  // Afterwards the fee of the sale is in the books: 2.9 % and 30 cents. A movement of the second in which the command runs is
  // read by the next run.
  const feesAfterReconcile = async () => {
    const agreed = await reconcile(keys());
    expect(agreed).toMatchObject({ code: 0 });
    expect(agreed.stdout).toContain('The ledger and the card processor’s balance agree.');
    return (await reader.client.call(readShopMoney, {})).feesCents;
  };
  await expect.poll(feesAfterReconcile).toBe(1_625);

  // Two hours ago the shop posted a payment that the card processor does not know.
  await shop.connection.pool.query(
    `with posting as (
       insert into ledger_postings (kind, reference, currency, posted_at)
       values ('payment_without_sale', 'pi_unknown', 'EUR', now() - interval '2 hours') returning id
     )
     insert into ledger_entries (posting_id, account, amount_cents)
     select id, account, amount_cents from posting
      cross join (values ('processor', 5000), ('refunds_due', -5000)) as entries (account, amount_cents)`,
  );
  const differed = await reconcile(keys());
  expect(differed).toMatchObject({ code: 1 });
  expect(differed.stderr).toContain('differ in one movement');
  expect(differed.stderr).toContain('pi_unknown: €50.00 in the ledger, nothing at the card processor');
  expect(differed.stderr).toContain('Nothing was changed.');
});

test('reconcile without the card processor’s keys, or with a subject, says why it compares nothing', {
  timeout: 120_000,
  tags: 'long',
}, async () => {
  const standIn = await reconcile({});
  expect(standIn).toMatchObject({ code: 1 });
  expect(standIn.stderr).toContain('Nothing was compared.');
  const wrong = await reconcile(keys(), 'everything');
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('npm run admin -- reconcile');
});

test('carrier-paid records what is owed in the currency of the shop, once, and more only with --ahead', {
  timeout: 120_000,
}, async () => {
  const owes = (cents: number) =>
    shop.connection.pool.query(
      `with posting as (
         insert into ledger_postings (kind, reference, currency) values ('label_bought', $1, 'EUR') returning id
       )
       insert into ledger_entries (posting_id, account, amount_cents)
       select id, account, amount_cents from posting
        cross join (values ('shipping', $2::int), ('carrier_payable', -$2::int)) as entries (account, amount_cents)`,
      [`label of ${cents}`, cents],
    );
  const pay = (...args: string[]) => admin(['carrier-paid', ...args]);
  expect(await pay('INV-16=0.01')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The ledger owes carriers €0\.00\. .* Nothing was recorded\./),
  });
  await owes(12_345);
  expect(await pay('INV-17=123.46')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The ledger owes carriers €123.45. A payment of €123.46 exceeds that.'),
  });
  const paid = await pay('INV-17=123.45');
  expect([paid.code, paid.stdout]).toEqual([
    0,
    '€123.45 to the carriers are recorded with the reference INV-17.\n',
  ]);
  expect(await pay('INV-17=123.45')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('recorded already'),
  });
  expect(await pay('--ahead', 'INV-18=50')).toMatchObject({ code: 0 });
  await owes(6_000);
  expect(await pay('INV-19=10.01')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('owes carriers €10.00'),
  });
});
