import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAllReceipts, listReceipts, readReceipt } from '#contract/money/accounting.ts';
import type { OrderMove } from '#contract/money/order-states.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { moveOrder, selectOrderForUpdate } from '#server/sales/orders/steps.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { issueSaleReceipt, recordShopIdentity } from './steps.ts';

let shop: TestShop;
let seller: Person;
let buyer: Person;
/** The present day on Kiritimati, such as `2026-11-30`. */
const dayThere = (at: string | Date) =>
  new Date(new Date(at).getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
const year = dayThere(new Date()).slice(0, 4);

beforeAll(async () => {
  shop = await startTestShop({
    settings: {
      commission: { basisPoints: 500, fixedCents: 0 },
      // Fourteen hours ahead of UTC: most days differ for a part of a day, and New Year for fourteen hours.
      timeZone: 'Pacific/Kiritimati',
      legal: {
        ...{ company: 'Coomercio Lda.', address: 'Rua Nova 1, Lisbon' },
        ...{ registerNumber: '', vatNumber: 'PT500000000' },
      },
    },
  });
  [seller, buyer] = [await shop.seller(), await shop.buyer()];
});
afterAll(() => shop.close());

/** Moves an order, with its refund. */
const move = (orderId: string, name: OrderMove, amountCents?: number) =>
  shop.connection.database.transaction().execute(async (transaction) => {
    const order = await selectOrderForUpdate(transaction, orderId);
    if (order === undefined) throw new Error('The order is missing');
    const details = amountCents === undefined ? {} : { amountCents };
    await moveOrder(transaction, async () => undefined, order, name, details);
  });

/** The sequences of the receipts so far. */
async function sequences(): Promise<number[]> {
  const { rows } = await shop.connection.pool.query<{ sequence: number }>(
    'select sequence from receipts order by sequence',
  );
  return rows.map(({ sequence }) => sequence);
}

test('a sale has a receipt for its buyer, and its release a commission note for its seller', async () => {
  const { orderId, transactionId } = await sellLaptop(shop, { seller, buyer });
  const [sale] = await buyer.client.call(listReceipts, { query: {} });
  expect(sale).toMatchObject({ kind: 'sale', orderId, amount: 549.99, productName: 'EliteBook 840 G8' });
  expect(sale?.number).toMatch(new RegExp(`^${year}-\\d{6}$`));
  expect(await seller.client.call(listReceipts, { query: {} })).toEqual([]);

  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  const [commission, ...others] = await seller.client.call(listReceipts, { query: {} });
  expect(commission).toMatchObject({ kind: 'commission', orderId, amount: 27.49 });
  expect(others).toEqual([]);

  const params = { number: sale?.number ?? '' };
  expect(await buyer.client.call(readReceipt, { params })).toMatchObject({
    recipientName: 'Bea Buyer',
    sellerName: 'Sam Seller',
    transactionId,
    // A sale's scheme depends on its seller's taxes.
    date: dayThere(sale?.issuedAt ?? ''),
    issuer: { legalName: 'Coomercio Lda.', address: 'Rua Nova 1, Lisbon', taxId: 'PT500000000' },
    corrects: null,
  });
  const unknown = { params: { number: '2020-000001' } };
  for (const stranger of [seller, await shop.buyer()]) {
    await expect(stranger.client.call(readReceipt, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(stranger.client.call(readReceipt, unknown)).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await (await shop.admin()).client.call(readReceipt, { params })).toMatchObject({ orderId });
});

test('a receipt keeps the names of the sale when somebody is called otherwise later', async () => {
  const [her, him] = [await shop.seller('Sally Sold'), await shop.buyer('Ben Bought')];
  const { orderId } = await sellLaptop(shop, { seller: her, buyer: him });
  // One after the other: jobs of the sale lock both accounts, in an order of their own.
  for (const { userId } of [her, him]) {
    await shop.connection.pool.query(`update users set name = 'Somebody Else' where id = $1`, [userId]);
  }
  const sale = (await him.client.call(listReceipts, { query: {} })).find((each) => each.orderId === orderId);
  const params = { number: sale?.number ?? '' };
  expect(await him.client.call(readReceipt, { params })).toMatchObject({
    recipientName: 'Ben Bought',
    buyerName: 'Ben Bought',
    sellerName: 'Sally Sold',
  });
});

test('a refund has a credit note that names the corrected receipt, and gives the commission back', async () => {
  const { orderId } = await sellLaptop(shop, { seller, buyer });
  const [sale] = await buyer.client.call(listReceipts, { query: {} });
  await move(orderId, 'confirm');
  const [commission] = await seller.client.call(listReceipts, { query: {} });
  await move(orderId, 'complain');
  await move(orderId, 'decide_part', 27_500);

  const [credit] = await buyer.client.call(listReceipts, { query: {} });
  expect(credit).toMatchObject({ kind: 'sale_credit', orderId, amount: 275 });
  const toCredit = { params: { number: credit?.number ?? '' } };
  expect(await buyer.client.call(readReceipt, toCredit)).toMatchObject({ corrects: sale?.number });
  const [commissionCredit] = await seller.client.call(listReceipts, { query: {} });
  expect(commissionCredit).toMatchObject({ kind: 'commission_credit', orderId, amount: 13.75 });
  const toCommissionCredit = { params: { number: commissionCredit?.number ?? '' } };
  expect(await seller.client.call(readReceipt, toCommissionCredit)).toMatchObject({
    corrects: commission?.number,
  });
});

test('numbers have no gaps, although some of the concurrent transactions fail after they took one', async () => {
  const sales = await Promise.all(
    Array.from({ length: 8 }, async () => sellLaptop(shop, { seller, buyer: await shop.buyer() })),
  );
  const before = await sequences();
  const outcomes = await Promise.allSettled(
    sales.map(({ orderId }, index) =>
      shop.connection.database.transaction().execute(async (transaction) => {
        const order = await selectOrderForUpdate(transaction, orderId);
        if (order === undefined) throw new Error('The order is missing');
        await moveOrder(transaction, async () => undefined, order, 'confirm');
        if (index % 2 === 1) throw new Error('after the number');
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  const after = await sequences();
  expect(after).toHaveLength(before.length + 4);
  expect(after).toEqual(after.map((_sequence, index) => index + 1));
});

test('a sale has one receipt, receipts are never changed, and a year’s number is given once', async () => {
  const { orderId } = await sellLaptop(shop, { seller, buyer });
  const { pool, database } = shop.connection;
  const order = {
    ...{ id: orderId, sellerId: seller.userId, buyerId: buyer.userId, laptopName: 'Inspiron 14' },
    ...{ priceCents: 54_999, commissionCents: 0, refundedCents: 0, isReleased: false },
  };
  await expect(
    database.transaction().execute((transaction) => issueSaleReceipt(transaction, order)),
  ).rejects.toMatchObject({ constraint: 'one_receipt_per_sale' });
  await expect(pool.query('update receipts set amount_cents = 1')).rejects.toThrow(/never changed/);
  await expect(pool.query('delete from receipts')).rejects.toThrow(/never changed/);
  const copy = (of: string) =>
    pool.query(
      `insert into receipts (year, sequence, kind, order_id, recipient_id, amount_cents, laptop_name)
       select ${of}, 'sale_credit', order_id, recipient_id, 1, '' from receipts limit 1`,
    );
  await expect(copy('year, sequence')).rejects.toMatchObject({ constraint: 'receipts_pkey' });
  await pool.query('insert into receipt_counters values (2020, 1)');
  await expect(copy('2020, 1')).rejects.toMatchObject({ constraint: 'issued_in_its_year' });
});

test('the number’s year and the printed day are those of the shop’s time zone, and older receipts keep theirs', async () => {
  const { pool } = shop.connection;
  // Noon of the last day of the year in UTC is the next year on Kiritimati.
  const at = '2020-12-31 12:00:00+00';
  const insert = (zone: string, ofYear: number, sequence: number) =>
    pool.query<{ receipt_number: string; day: string }>(
      `insert into receipts (year, sequence, kind, order_id, recipient_id, amount_cents, laptop_name, issued_at, time_zone)
       select $2::int, $3::int, 'sale_credit', order_id, recipient_id, 1, '', $4, $1 from receipts limit 1
       returning receipt_number`,
      [zone, ofYear, sequence, at],
    );
  await pool.query('insert into receipt_counters values (2020, 9), (2021, 9) on conflict do nothing');
  await insert('UTC', 2020, 9);
  await insert('Pacific/Kiritimati', 2021, 9);
  await expect(insert('Pacific/Kiritimati', 2020, 8)).rejects.toMatchObject({
    constraint: 'issued_in_its_year',
  });
  const admin = await shop.admin();
  const dates = await Promise.all(
    ['2020-000009', '2021-000009'].map(
      async (number) => (await admin.client.call(readReceipt, { params: { number } })).date,
    ),
  );
  expect(dates).toEqual(['2020-12-31', '2021-01-01']);
});

test('an identity that changes is on later receipts only', async () => {
  const { database } = shop.connection;
  const { orderId } = await sellLaptop(shop, { seller, buyer });
  const before = await buyer.client.call(listReceipts, { query: {} });
  const identity = {
    ...{ name: 'Second Life', legalName: 'Second Life S.A.' },
    ...{ address: null, registerNumber: null, taxId: null },
  };
  const scheme = { name: 'IVA', commissionBasisPoints: 2_300, saleNote: 'Second-hand goods.' };
  for (let times = 0; times < 2; times += 1) {
    await database.transaction().execute((transaction) => recordShopIdentity(transaction, identity, scheme));
  }
  expect((await database.selectFrom('shop_identities').selectAll().execute()).length).toBe(2);
  await move(orderId, 'confirm');
  const [commission] = await seller.client.call(listReceipts, { query: {} });
  const read = (person: Person, number = '') => person.client.call(readReceipt, { params: { number } });
  const later = await read(seller, commission?.number);
  expect(later.issuer).toEqual(identity);
  // The commission is 27.50, of which 27.50 × 23 / 123 is the tax.
  expect(later).toMatchObject({ tax: { name: 'IVA', percent: 23, amount: 5.14 }, taxNote: null });
  expect(await read(buyer, before[0]?.number)).toMatchObject({
    issuer: { name: 'Coomercio', legalName: 'Coomercio Lda.' },
    tax: null,
    taxNote: null,
  });
});

test('an admin lists the receipts of a period of the shop’s days, page by page, and nobody else does', async () => {
  const admin = await shop.admin();
  const all = await admin.client.call(listAllReceipts, {
    query: { from: '2020-01-01', until: '2099-12-31' },
  });
  expect(all.length).toBeGreaterThan(10);
  const paged = await everyPage((from) =>
    admin.client.page(listAllReceipts, {
      query: { from: '2020-01-01', until: '2099-12-31', limit: 5, ...from },
    }),
  );
  expect(paged.slice(0, all.length)).toEqual(all);
  // The first of January on Kiritimati begins at ten in the morning of the day before.
  const numbers = async (from: string, until: string) =>
    (await admin.client.call(listAllReceipts, { query: { from, until } })).map(({ number }) => number);
  expect(await numbers('2021-01-01', '2021-01-01')).toEqual(['2021-000009', '2020-000009']);
  expect(await numbers('2020-01-01', '2020-12-31')).toEqual([]);
  await expect(numbers('2021-01-02', '2021-01-01')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(numbers('2021-02-30', '2021-03-01')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(
    seller.client.call(listAllReceipts, { query: { from: '2020-01-01', until: '2020-01-02' } }),
  ).rejects.toMatchObject({ code: 'not_allowed' });
});

test('credit notes cancel the tax of their commission note to the cent, at its rate, whatever the settings say by then', async () => {
  const taxed = (basisPoints: number) =>
    shop.changeSettings({ tax: { name: 'VAT', commissionBasisPoints: basisPoints, saleNote: '' } });
  await taxed(2_300);
  const { orderId } = await sellLaptop(shop, { seller, buyer });
  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  await taxed(500);
  // Of a commission of 27.49, parts whose taxes are rounded.
  for (const cents of [10_000, 10_000, 10_000]) {
    await move(orderId, 'complain');
    await move(orderId, 'decide_part', cents);
  }
  await move(orderId, 'complain');
  await move(orderId, 'decide_refund');
  const notes = (await seller.client.call(listReceipts, { query: {} })).filter(
    (note) => note.orderId === orderId,
  );
  const taxes = await Promise.all(
    notes.map(async ({ kind, number }) => {
      const { tax } = await seller.client.call(readReceipt, { params: { number } });
      expect(tax?.percent).toBe(23);
      return { kind, cents: Math.round((tax?.amount ?? 0) * 100) };
    }),
  );
  const sum = (of: string) =>
    taxes.filter(({ kind }) => kind === of).reduce((all, { cents }) => all + cents, 0);
  expect(taxes).toHaveLength(5);
  expect(sum('commission')).toBe(514);
  expect(sum('commission_credit')).toBe(514);
});
