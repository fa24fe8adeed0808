import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountFiles, exportAccounts, readShopMoney, readStatement } from '#contract/money/accounting.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { recordTimeZone } from '../ledger/steps.ts';
import { foldTotals } from './actions.ts';

let shop: TestShop;
let admin: Person;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: { basisPoints: 1_000, fixedCents: 0 }, timeZone: 'America/Los_Angeles' },
  });
  [admin, seller] = [await shop.admin(), await shop.seller()];
});
afterAll(() => shop.close());

const always = { from: '2000-01-01', until: '2099-12-31' };

/** Posts two entries at a time. */
const postAt = (
  at: string,
  kind: string,
  reference: string,
  [debit, credit]: [string, string],
  cents: number,
) =>
  shop.connection.pool.query(
    `with posted as (insert into ledger_postings (kind, reference, posted_at) values ($2, $3, $1) returning id)
     insert into ledger_entries (posting_id, account, amount_cents, seller_id)
       select id, account, amount, case when account = 'payable' then $7::uuid end
         from posted cross join (values ($4, $6::bigint), ($5, -$6::bigint)) as sides (account, amount)`,
    [at, kind, reference, debit, credit, cents, seller.userId],
  );

/** The cells of lines; no cell of these tests has a comma. */
const cells = (lines: readonly string[]) =>
  lines.map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));

test('the journal has each entry of the shop’s days, balanced, with equal sums of both sides', async () => {
  const { orderId, transactionId, buyer } = await sellLaptop(shop, { seller });
  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  // New Year's Eve in Los Angeles ends at eight in the morning of the first of January in UTC.
  await postAt('2020-01-01 07:59:59.999+00', 'correction', '=1+1', ['bank', 'payable'], 1_234);
  await postAt('2020-01-01 08:00:00+00', 'correction', 'new year', ['bank', 'payable'], 5);
  const read = (period: typeof always) =>
    admin.client.call(exportAccounts, { params: { file: 'journal' }, query: period });
  const { lines } = await read({ from: '2019-12-31', until: '2019-12-31' });
  expect(lines).toEqual([
    'Posting,Date,Kind,Reference,Account,Debit in USD,Credit in USD,Order,Seller id',
    expect.stringMatching(/^\d+,2019-12-31,correction,"'=1\+1",bank,12\.34,,,$/),
    expect.stringMatching(
      new RegExp(`^\\d+,2019-12-31,correction,"'=1\\+1",payable,,12\\.34,,${seller.userId}$`),
    ),
    'Total,,,,,12.34,12.34,,',
  ]);
  const sale = cells((await read(always)).lines).filter(([, , kind]) => kind === 'sale');
  expect(
    sale.map(([, , , reference, account, debit, credit, order]) => [
      reference,
      account,
      debit,
      credit,
      order,
    ]),
  ).toEqual([
    [transactionId, 'processor', '549.99', '', ''],
    [transactionId, 'held', '', '549.99', orderId],
  ]);
  expect((await read({ from: '2010-01-01', until: '2010-12-31' })).lines).toEqual([
    expect.stringContaining('Posting,'),
    'Total,,,,,0.00,0.00,,',
  ]);
});

test('a long journal is streamed whole, in order and without a posting torn apart', async () => {
  await shop.connection.pool.query(
    `with posted as (
       insert into ledger_postings (kind, reference, posted_at)
         select 'correction', 'long ' || i, timestamptz '2021-06-01 12:00:00+00' + (i / 7) * interval '1 microsecond'
           from generate_series(1, 350) i returning id, reference)
     insert into ledger_entries (posting_id, account, amount_cents)
       select id, 'bank', substr(reference, 6)::int from posted
       union all select id, 'suspense', -substr(reference, 6)::int from posted`,
  );
  const { lines } = await admin.client.call(exportAccounts, {
    params: { file: 'journal' },
    query: { from: '2021-06-01', until: '2021-06-01' },
  });
  const entries = cells(lines.slice(1, -1));
  expect(entries).toHaveLength(700);
  expect(new Set(entries.map(([number, , , , account]) => `${number} ${account}`)).size).toBe(700);
  const byPosting = Map.groupBy(entries, ([number]) => number);
  expect([...byPosting.values()].every((both) => both.length === 2 && both[0]?.[5] === both[1]?.[6])).toBe(
    true,
  );
  expect(lines.at(-1)).toBe('Total,,,,,614.25,614.25,,');
});

test('the fees add up to the account of the fees, with the payments they are for', async () => {
  const { orderId, transactionId } = await sellLaptop(shop, { seller });
  await shop.connection.pool.query(
    `insert into balance_transactions (id, type, category, amount_cents, fee_cents, transaction_id, created_at)
     values ('txn_fee', 'charge', 'charge', 54999, 1625, $1, '2022-03-01 03:00:00+00')`,
    [transactionId],
  );
  await postAt('2022-03-02 12:00:00+00', 'processor_fee', 'txn_fee', ['processor_fees', 'processor'], 1_625);
  await postAt('2022-03-02 13:00:00+00', 'correction', 'txn_back', ['processor_fees', 'processor'], -25);
  const { lines } = await admin.client.call(exportAccounts, {
    params: { file: 'fees' },
    query: { from: '2022-03-01', until: '2022-03-31' },
  });
  expect(lines).toEqual([
    'Posted,At the card processor,Balance transaction,Kind,Movement in USD,Fee in USD,Payment,Order',
    `2022-03-02,2022-02-28,"txn_fee","charge",549.99,16.25,"${transactionId}",${orderId}`,
    '2022-03-02,,"txn_back",,,-0.25,,',
    'Total,,,,,16.00,,',
  ]);
});

test('receipts are exported with their recipients, and a sum of each kind', async () => {
  const buyer = await shop.buyer('-Bea');
  const { orderId, transactionId } = await sellLaptop(shop, { seller, buyer });
  const { lines } = await admin.client.call(exportAccounts, { params: { file: 'receipts' }, query: always });
  expect(lines[0]).toBe('Number,Date,Kind,To,Laptop,Amount in USD,Tax in USD,Corrects,Order,Payment');
  expect(lines).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `^\\d{4}-\\d{6},\\d{4}-\\d\\d-\\d\\d,sale,"'-Bea","EliteBook 840 G8",549\\.99,0\\.00,,${orderId},"${transactionId}"$`,
      ),
    ),
  );
  const sales = cells(lines).filter(([number, , kind]) => kind === 'sale' && number !== 'Total');
  expect(lines).toContain(`Total,,sale,,,${(sales.length * 549.99).toFixed(2)},0.00,,,`);
});

test('nobody but an admin exports, and a period must be one', async () => {
  for (const file of accountFiles) {
    const params = { file };
    await expect(seller.client.call(exportAccounts, { params, query: always })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    for (const query of [
      { from: '2026-02-30', until: '2026-03-01' },
      { from: '2026-03-02', until: '2026-03-01' },
      { from: '0000-01-01', until: '2026-03-01' },
    ]) {
      await expect(admin.client.call(exportAccounts, { params, query })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
  }
});

test('months, statements and histories are counted by the shop’s time zone, and anew when it changes', async () => {
  const changeTimeZone = (timeZone: string) =>
    shop.connection.database.transaction().execute((transaction) => recordTimeZone(transaction, timeZone));
  const { database, pool } = shop.connection;
  const monthOf = async (cents: number) => {
    const { months } = await admin.client.call(readShopMoney, {});
    return months.find(({ feesCents }) => feesCents === cents)?.month;
  };
  const now = new Date();
  // Six hours after the month began in UTC: the day before in Los Angeles, whose offset is seven or eight hours.
  const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1, 6));
  const thisMonth = begin.toISOString().slice(0, 7);
  const lastMonth = new Date(begin.getTime() - 86_400_000).toISOString().slice(0, 7);
  await postAt(begin.toISOString(), 'processor_fee', 'of the night', ['processor_fees', 'processor'], 77_777);
  await postAt(begin.toISOString(), 'settled_by_hand', 'of the night', ['payable', 'bank'], 3_131);
  const statementLines = async (month: string) =>
    (await seller.client.call(readStatement, { query: { month } })).lines.filter(
      ({ cents }) => cents === -3_131,
    );
  for (const fold of [false, true]) {
    if (fold) await foldTotals(database, new Date(Date.now() + 3_600_000));
    expect(await monthOf(77_777)).toBe(lastMonth);
  }
  expect(await statementLines(lastMonth)).toMatchObject([{ date: expect.stringContaining(lastMonth) }]);
  expect(await statementLines(thisMonth)).toEqual([]);

  await changeTimeZone('UTC');
  for (const fold of [false, true]) {
    if (fold) await foldTotals(database, new Date(Date.now() + 3_600_000));
    expect(await monthOf(77_777)).toBe(thisMonth);
  }
  expect(await statementLines(thisMonth)).toMatchObject([{ date: `${thisMonth}-01` }]);
  await expect(changeTimeZone('Nowhere/Nothing')).rejects.toThrow(/time zone/);
  const { rows } = await pool.query('select time_zone from shop_time_zone');
  expect(rows).toEqual([{ time_zone: 'UTC' }]);
});
