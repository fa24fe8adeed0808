import { type Insertable, sql } from 'kysely';
import type { ShopIdentity } from '#contract/money/accounting.ts';
import {
  BATCH_ROWS,
  inBatches,
  type Page,
  type PageRequest,
  readPage,
  rowsToRead,
  toPage,
} from '#server/platform/database/keyset-page.ts';
import type { Database, Reader, Tables, Transaction } from '#server/platform/database/tables.ts';
import type { PeriodBounds } from '../ledger/steps.ts';
import type { IssuedReceiptRow, PrintedReceipt, ReceiptKey, ReceiptRow } from './rules.ts';
import type { TaxScheme } from './tax.ts';

/**
 * Inserts a receipt with the next number of the year of the transaction's start, in the shop's time zone, and the shop's present
 * identity. Locks the year's counter.
 */
export async function insertReceipt(
  transaction: Transaction,
  receipt: Omit<Insertable<Tables['receipts']>, 'year' | 'sequence' | 'time_zone' | 'identity_since'>,
): Promise<void> {
  const { time_zone } = await transaction
    .selectFrom('shop_time_zone')
    .select('time_zone')
    .executeTakeFirstOrThrow();
  const { year, last } = await transaction
    .insertInto('receipt_counters')
    .values({ year: sql<number>`extract(year from now() at time zone ${time_zone})`, last: 1 })
    .onConflict((conflict) =>
      conflict.column('year').doUpdateSet({ last: sql<number>`receipt_counters.last + 1` }),
    )
    .returning(['year', 'last'])
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('receipts')
    .values({
      ...receipt,
      year,
      sequence: last,
      time_zone,
      identity_since: sql<Date | null>`(select max(since) from shop_identities)`,
    })
    .execute();
}

/** Records the shop's identity and its tax scheme unless they are the present ones. */
export async function recordShopIdentity(
  transaction: Transaction,
  { name, legalName, address, registerNumber, taxId }: ShopIdentity,
  { name: taxName, commissionBasisPoints, saleNote }: TaxScheme,
): Promise<void> {
  const present = await transaction
    .selectFrom('shop_identities')
    .selectAll()
    .orderBy('since', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isPresent =
    present?.name === name &&
    present.legal_name === legalName &&
    present.address === address &&
    present.register_number === registerNumber &&
    present.tax_id === taxId &&
    present.tax_name === taxName &&
    present.commission_tax_basis_points === commissionBasisPoints &&
    present.sale_tax_note === saleNote;
  if (isPresent) return;
  await transaction
    .insertInto('shop_identities')
    .values({
      ...{ name, legal_name: legalName, address, register_number: registerNumber, tax_id: taxId },
      tax_name: taxName,
      commission_tax_basis_points: commissionBasisPoints,
      sale_tax_note: saleNote,
    })
    .execute();
}

/** The day of issue in the receipt's time zone. */
const day = sql<string>`to_char(receipts.issued_at at time zone receipts.time_zone, 'YYYY-MM-DD')`.as('day');

const columns = [
  'receipts.number',
  'receipts.receipt_number',
  'receipts.kind',
  'receipts.order_id',
  'receipts.recipient_id',
  'receipts.amount_cents',
  'receipts.laptop_name',
  'receipts.issued_at',
  day,
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

/** Receipts with their orders and what a credit note corrects, whose tax scheme is also that of the credit note. */
const printed = (reader: Reader) =>
  reader
    .selectFrom('receipts')
    .innerJoin('orders', 'orders.id', 'receipts.order_id')
    .leftJoin('shop_identities', 'shop_identities.since', 'receipts.identity_since')
    .leftJoin('receipts as corrected', (join) =>
      join
        .onRef('corrected.order_id', '=', 'receipts.order_id')
        .on(sql<boolean>`corrected.kind || '_credit' = receipts.kind`),
    )
    .leftJoin('shop_identities as taxing', (join) =>
      join.on(
        sql<boolean>`taxing.since = case when corrected.number is null then receipts.identity_since
                                         else corrected.identity_since end`,
      ),
    )
    .select([
      ...columns,
      'taxing.tax_name',
      'taxing.commission_tax_basis_points',
      'taxing.sale_tax_note',
      sql<string>`(select coalesce(sum(earlier.amount_cents), 0) from receipts as earlier
                    where earlier.order_id = receipts.order_id and earlier.kind = receipts.kind
                      and earlier.number < receipts.number)`.as('credited_before_cents'),
      'orders.transaction_id',
      'corrected.receipt_number as corrects',
    ]);

/** Finds a receipt by its number. It names the people as they were called at the sale. */
export const findReceipt = (reader: Reader, receiptNumber: string): Promise<PrintedReceipt | undefined> =>
  printed(reader)
    .innerJoin('users as buyers', 'buyers.id', 'orders.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'orders.seller_id')
    .select([
      'shop_identities.name as shop_name',
      'shop_identities.legal_name',
      'shop_identities.address',
      'shop_identities.register_number',
      'shop_identities.tax_id',
      'orders.buyer_id',
      sql<string>`coalesce(orders.buyer_name, buyers.name)`.as('buyer_name'),
      sql<string>`coalesce(orders.seller_name, sellers.name)`.as('seller_name'),
    ])
    .where('receipts.receipt_number', '=', receiptNumber)
    .executeTakeFirst();

const timeOf = (microseconds: string) =>
  sql<Date>`timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`;

/** The receipts of a period with their recipients. */
const issuedReceipts = (reader: Reader, { from, until }: PeriodBounds) =>
  printed(reader)
    .innerJoin('users as recipients', 'recipients.id', 'receipts.recipient_id')
    .select([
      sql<string>`coalesce(
        case when receipts.recipient_id = orders.buyer_id then orders.buyer_name else orders.seller_name end,
        recipients.name)`.as('recipient_name'),
      sql<string>`(extract(epoch from receipts.issued_at) * 1000000)::bigint::text`.as('at'),
    ])
    .where('receipts.issued_at', '>=', from)
    .where('receipts.issued_at', '<', until);

/** A page of the receipts of a period, newest first. */
export async function receiptsOfPeriod(
  reader: Reader,
  bounds: PeriodBounds,
  request: PageRequest<ReceiptKey>,
  encode: (key: ReceiptKey) => string,
): Promise<Page<IssuedReceiptRow>> {
  let query = issuedReceipts(reader, bounds);
  if (request.after !== null) {
    const [at, number] = request.after;
    query = query.where(
      sql<boolean>`(receipts.issued_at, receipts.number) < (${timeOf(at)}, ${number}::bigint)`,
    );
  }
  const rows = await query
    .orderBy('receipts.issued_at', 'desc')
    .orderBy('receipts.number', 'desc')
    .limit(sql.lit(rowsToRead(request)))
    .execute();
  return toPage(rows, request, ({ at, number }) => encode([at, number]));
}

/** Streams the receipts of a period in batches, oldest first. */
export const streamReceipts = (
  database: Database,
  bounds: PeriodBounds,
): AsyncGenerator<IssuedReceiptRow[]> =>
  inBatches<IssuedReceiptRow>((last) => {
    const { at, number } = last ?? { at: String(bounds.from.getTime() * 1000), number: '0' };
    return issuedReceipts(database, bounds)
      .where(sql<boolean>`(receipts.issued_at, receipts.number) > (${timeOf(at)}, ${number}::bigint)`)
      .orderBy('receipts.issued_at')
      .orderBy('receipts.number')
      .limit(sql.lit(BATCH_ROWS))
      .execute();
  });
