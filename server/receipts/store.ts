import { type Insertable, sql } from 'kysely';
import type { TaxScheme } from '#contract/accounting.ts';
import { type Page, type PageRequest, readPage } from '../database/page.ts';
import type { Database, Reader, Tables, Transaction } from '../database/tables.ts';
import type { PrintedReceipt, ReceiptRow } from './rules.ts';

/** Inserts a receipt with the next number of the year, in UTC, of the transaction's start. Locks the year's counter. */
export async function insertReceipt(
  transaction: Transaction,
  receipt: Omit<Insertable<Tables['receipts']>, 'year' | 'sequence'>,
): Promise<void> {
  const { year, last } = await transaction
    .insertInto('receipt_counters')
    .values({ year: sql<number>`extract(year from now() at time zone 'UTC')`, last: 1 })
    .onConflict((conflict) =>
      conflict.column('year').doUpdateSet({ last: sql<number>`receipt_counters.last + 1` }),
    )
    .returning(['year', 'last'])
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('receipts')
    .values({ ...receipt, year, sequence: last })
    .execute();
}

/** The tax scheme of an order's sale; for a new sale the shop's present one. */
export async function taxSchemeOf(transaction: Transaction, orderId: string): Promise<TaxScheme> {
  const sale = await transaction
    .selectFrom('receipts')
    .select('tax_scheme as scheme')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'sale')
    .executeTakeFirst();
  return sale?.scheme ?? presentTaxScheme(transaction);
}

async function presentTaxScheme(reader: Reader): Promise<TaxScheme> {
  const row = await reader
    .selectFrom('tax_schemes')
    .select('scheme')
    .orderBy('since', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.scheme ?? 'none';
}

/** Records the shop's tax scheme unless it is the present one. */
export async function recordTaxScheme(database: Database, scheme: TaxScheme): Promise<void> {
  if ((await presentTaxScheme(database)) !== scheme) {
    await database.insertInto('tax_schemes').values({ scheme }).execute();
  }
}

const columns = [
  'receipts.number',
  'receipts.receipt_number',
  'receipts.kind',
  'receipts.order_id',
  'receipts.recipient_id',
  'receipts.amount_cents',
  'receipts.laptop_name',
  'receipts.tax_scheme',
  'receipts.issued_at',
] as const;

/** A person's receipts, newest first. */
export function receiptsOf(
  reader: Reader,
  recipientId: string,
  request: PageRequest,
): Promise<Page<ReceiptRow>> {
  const query = reader.selectFrom('receipts').select(columns).where('recipient_id', '=', recipientId);
  return readPage(query, 'receipts.number', request);
}

/** Finds a receipt by its number. */
export function findReceipt(reader: Reader, receiptNumber: string): Promise<PrintedReceipt | undefined> {
  return reader
    .selectFrom('receipts')
    .innerJoin('orders', 'orders.id', 'receipts.order_id')
    .innerJoin('users as buyers', 'buyers.id', 'orders.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'orders.seller_id')
    .leftJoin('receipts as corrected', (join) =>
      join
        .onRef('corrected.order_id', '=', 'receipts.order_id')
        .on(sql<boolean>`corrected.kind || '_credit' = receipts.kind`),
    )
    .select([
      ...columns,
      'orders.buyer_id',
      'orders.transaction_id',
      'buyers.name as buyer_name',
      'sellers.name as seller_name',
      'corrected.receipt_number as corrects',
    ])
    .where('receipts.receipt_number', '=', receiptNumber)
    .executeTakeFirst();
}
