// The money invariants can fail: each way in which money could get lost is named.
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestShop, type TestShop } from '../operations/shop.ts';
import * as harness from './connected-seller.ts';
import { findMoneyViolations } from './money-invariants.ts';
import { readProcessorLedger } from './processor-ledger.ts';

let shop: TestShop;
let client: PoolClient;
beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
  await harness.sellAndRelease(shop, await harness.onboardedSeller(shop));
  await shop.runPayouts();
  client = await shop.connection.pool.connect();
  // Without constraints and triggers, as only then the tables can contradict each other.
  await client.query('set session_replication_role = replica');
});
afterAll(async () => {
  client.release(true);
  await shop.close();
});

const violations = async () =>
  findMoneyViolations(shop.connection.pool, await readProcessorLedger(shop.cards.stripe), null);

test('a shop in order has none', async () => {
  expect(await violations()).toEqual([]);
});

test.each([
  [
    'an entry without its counterpart',
    `insert into ledger_entries (posting_id, account, amount_cents)
     select id, 'commission', 1 from ledger_postings where kind = 'sale'`,
    `delete from ledger_entries where account = 'commission' and amount_cents = 1`,
    [
      /^The posting sale pi_\w+ does not balance\.$/,
      /^54999 cents were taken; 0 are held, 54998 were released/,
    ],
  ],
  [
    'a payment to a seller that the ledger does not know',
    `insert into settlements (kind, seller_id, admin_id, amount_cents, reference)
     select 'paid', seller_id, seller_id, 500, 'lost' from orders`,
    'delete from settlements',
    [
      /^The seller \S+ earned 52200 cents; 52700 were paid or are owed/,
      /^54999 cents were taken; 0 are held, 55499 were released, 0 were returned/,
    ],
  ],
  [
    'a release that was not posted',
    `update orders set released_at = null, state = 'held'`,
    `update orders set released_at = now(), state = 'released'`,
    [
      /cents held instead of -54999/,
      /^The seller \S+ earned 0 cents; 52200/,
      /54999 are held, 54999 were released/,
    ],
  ],
  [
    'a transfer that was made and not recorded',
    `update transfers set state = 'pending', transfer_id = null`,
    `update transfers set state = 'made', transfer_id = reference
       from ledger_postings where kind = 'transfer'`,
    [
      /^The seller \S+ earned 52200 cents; 0 were paid or are owed/,
      /^tr_\w+ transferred 52200 cents for the order \S+ and is not recorded\.$/,
      /^The transfer for the order \S+ is in progress\.$/,
    ],
  ],
  [
    'a reversal that was made and not recorded',
    'update transfers set reversed_cents = 200',
    'update transfers set reversed_cents = 0',
    [
      /^The seller \S+ earned 52200 cents; 52000 were paid/,
      /^0 cents of tr_\w+ came back, 200 are recorded\.$/,
    ],
  ],
  [
    'a label that was bought and not posted',
    `insert into labels (order_id, way, state, shipment_id, borne_by, rates, insured_cents, quoted_premium_cents, rate_id,
                         carrier, service, cost_cents, premium_cents, charged_cents, tracking_number, bought_at)
     select id, 'out', 'bought', 'shp_1', 'seller', '[]', 54999, 550, 'rate_1', 'UPS', 'Ground', 1098, 550, 1600, '1Z9999999',
            now() from orders`,
    'delete from labels',
    [
      /^carrier_payable has 0 cents instead of -1648\.$/,
      /^label_advances has 0 cents instead of 1600\.$/,
      /^shipping has 0 cents instead of 48\.$/,
    ],
  ],
  [
    'a captured amount that is nowhere',
    'update orders set price_cents = price_cents + 1',
    'update orders set price_cents = price_cents - 1',
    [/^55000 cents were taken; 0 are held, 54999 were released, 0 were returned/],
  ],
])('%s', async (_name, breakIt, mendIt, expected) => {
  await client.query(breakIt);
  const found = await violations();
  await client.query(mendIt);
  for (const violation of expected) expect(found).toContainEqual(expect.stringMatching(violation));
  expect(await violations()).toEqual([]);
});
