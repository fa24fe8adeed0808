import { afterAll, beforeAll, expect, test } from 'vitest';
import { readShopMoney, readStatement } from '#contract/money/accounting.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { post } from '#server/money/ledger/steps.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { foldTotals } from './actions.ts';

let shop: TestShop;
let seller: Person;
let buyer: Person;
const month = new Date().toISOString().slice(0, 7);

beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: { basisPoints: 1_000, fixedCents: 0 } },
  });
  [seller, buyer] = [await shop.seller(), await shop.buyer()];
});
afterAll(() => shop.close());

const statementOf = (person: Person, of = month) =>
  person.client.call(readStatement, { query: { month: of } });

/** Pays a seller. */
const settle = (reference: string, cents: number) =>
  shop.connection.database.transaction().execute((transaction) =>
    post(transaction, {
      kind: 'settled_by_hand',
      reference,
      entries: [
        { account: 'payable', amountCents: cents, sellerId: seller.userId, orderId: null },
        { account: 'bank', amountCents: -cents, orderId: null },
      ],
    }),
  );

test('a statement has what the shop owes a seller, and each change of it', async () => {
  expect(await statementOf(seller)).toEqual({
    ...{ month, timeZone: 'UTC', currency: 'USD' },
    ...{ openingCents: 0, lines: [], closingCents: 0 },
  });
  const { orderId } = await sellLaptop(shop, { seller, buyer });
  // What is held is not owed yet.
  expect(await statementOf(seller)).toMatchObject({ lines: [], closingCents: 0 });
  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  await settle('first', 40_000);
  const released = { kind: 'release', orderId, productName: 'EliteBook 840 G8', cents: 49_500 };
  expect(await statementOf(seller)).toMatchObject({
    openingCents: 0,
    lines: [released, { kind: 'settled_by_hand', orderId: null, productName: null, cents: -40_000 }],
    closingCents: 9_500,
  });
  expect(await statementOf(seller, '2020-01')).toMatchObject({ lines: [], closingCents: 0 });
  expect(await statementOf(seller, '2098-12')).toMatchObject({ openingCents: 9_500, lines: [] });
  expect(await statementOf(await shop.seller())).toMatchObject({ lines: [], closingCents: 0 });
  await expect(statementOf(seller, '2026-13')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(statementOf(buyer)).rejects.toMatchObject({ code: 'not_allowed' });
});

test('a long statement is streamed whole and in order', async () => {
  const other = await shop.seller();
  await shop.connection.pool.query(
    `with posted as (
       insert into ledger_postings (kind, reference) select 'correction', 'long ' || i from generate_series(1, 250) i
       returning id, reference)
     insert into ledger_entries (posting_id, account, amount_cents, seller_id)
       select id, 'payable', -substr(reference, 6)::int, $1::uuid from posted
       union all select id, 'lost_disputes', substr(reference, 6)::int, null from posted`,
    [other.userId],
  );
  const { lines, closingCents } = await statementOf(other);
  expect(lines.map(({ cents }) => cents).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 250 }, (_, index) => index + 1),
  );
  expect(closingCents).toBe((250 * 251) / 2);
});

test('the shop’s figures are the same from stored sums, which are added to once', async () => {
  const admin = await shop.admin();
  const read = () => admin.client.call(readShopMoney, {});
  const before = await read();
  expect(before).toMatchObject({
    heldCents: 0,
    releasedCents: 49_500 + (250 * 251) / 2,
    paidOutCents: 40_000,
    commissionCents: 5_499,
  });
  const { database, pool } = shop.connection;
  const stored = async () =>
    (await pool.query<{ cents: string }>('select coalesce(sum(abs(cents)), 0) as cents from ledger_totals'))
      .rows[0]?.cents;
  await foldTotals(database, new Date());
  // Everything is younger than ten minutes.
  expect(await stored()).toBe('0');
  const later = new Date(Date.now() + 3_600_000);
  await Promise.all([foldTotals(database, later), foldTotals(database, later)]);
  const sums = await stored();
  expect(sums).not.toBe('0');
  expect(await read()).toEqual(before);

  await settle('second', 500);
  await foldTotals(database, new Date());
  expect(await stored()).toBe(sums);
  expect(await read()).toMatchObject({ paidOutCents: 40_500, releasedCents: before.releasedCents });
});

test('open complaints and disputes are counted', async () => {
  const admin = await shop.admin();
  const sold = await Promise.all([1, 2].map(() => sellLaptop(shop, { seller, buyer })));
  await shop.connection.pool.query(`update orders set state = 'contested' where id = $1`, [sold[0]?.orderId]);
  await shop.connection.pool.query(
    `update orders set state = 'charge_disputed', disputed_in = 'held', due_at = null where id = $1`,
    [sold[1]?.orderId],
  );
  expect(await admin.client.call(readShopMoney, {})).toMatchObject({ openComplaints: 1, openDisputes: 1 });
});
