import { sql } from 'kysely';
import type { HistoryPeriod } from '#contract/payouts.ts';
import { type Page, type PageRequest, readPage, rowsToRead, toPage } from '../database/page.ts';
import type { Reader, Transaction } from '../database/tables.ts';
import type { DueKey, MoneyTotals, PeriodRow, SellerDue, SettlementRow, SoldOrder } from './rules.ts';

/** A seller's orders with what is due of each, newest first. */
export async function listSales(
  reader: Reader,
  sellerId: string,
  request: PageRequest,
): Promise<Page<SoldOrder>> {
  const query = reader
    .selectFrom('orders')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .select([
      'orders.id',
      'orders.number',
      'orders.seller_id',
      'orders.placed_at',
      'orders.price_cents',
      'orders.commission_cents',
      'orders.refunded_cents',
      'orders.released_at',
      'orders.state',
      'laptops.name as laptop_name',
    ])
    .where('orders.seller_id', '=', sellerId);
  const page = await readPage(query, 'orders.number', request);
  // A statement of its own: in a join, the view could be read once for each order.
  const due = await reader
    .selectFrom('payable_orders')
    .select(['order_id', 'due_cents'])
    .where('seller_id', '=', sellerId)
    .where(sql<boolean>`order_id = any(${page.rows.map(({ id }) => id)}::uuid[])`)
    .execute();
  const dueCents = new Map(due.map((row) => [row.order_id, row.due_cents]));
  return { ...page, rows: page.rows.map((row) => ({ ...row, due_cents: dueCents.get(row.id) ?? null })) };
}

/** A seller's totals. */
export async function readTotals(reader: Reader, sellerId: string): Promise<MoneyTotals> {
  const { rows } = await sql<MoneyTotals>`
    select coalesce((select sum(price_cents - refunded_cents
                                - commission_cents::bigint * (price_cents - refunded_cents) / price_cents)
                       from orders
                      where seller_id = ${sellerId} and released_at is null and refunded_cents < price_cents), 0) as held_cents,
           coalesce((select balance_cents from seller_balances where seller_id = ${sellerId}), 0) as balance_cents,
           coalesce((select paid_cents from seller_balances where seller_id = ${sellerId}), 0) as paid_cents
  `.execute(reader);
  const [totals] = rows;
  if (totals === undefined) throw new Error('a query without a table returned no row');
  return totals;
}

/** The number of weeks or months of the history, with the present one. */
const HISTORY_PERIODS = 12;

/** A seller's money in the latest weeks or months, oldest first. Weeks begin on Monday; all by UTC. */
export async function readHistory(
  reader: Reader,
  sellerId: string,
  by: HistoryPeriod,
  now: Date,
): Promise<PeriodRow[]> {
  const step = sql`interval '1 ${sql.raw(by === 'week' ? 'week' : 'month')}'`;
  const { rows } = await sql<PeriodRow>`
    with periods as (
      select generate_series(latest - ${step} * ${sql.lit(HISTORY_PERIODS - 1)}, latest, ${step}) as first_day
        from (select date_trunc(${by}::text, ${now}::timestamptz at time zone 'UTC') as latest) as present
    ), days as (
      select date_trunc(${by}::text, day::timestamp) as first_day, released_cents, paid_cents, taken_back_cents
        from seller_days
       where seller_id = ${sellerId} and day >= (select min(first_day) from periods)::date
    )
    select to_char(periods.first_day, 'YYYY-MM-DD') as first_day,
           coalesce(sum(released_cents), 0) as released_cents,
           greatest(0, coalesce(sum(paid_cents), 0)) as paid_cents,
           coalesce(sum(taken_back_cents), 0) as taken_back_cents
      from periods left join days using (first_day)
     group by periods.first_day order by periods.first_day
  `.execute(reader);
  return rows;
}

/** The balances of the sellers to whom money is due. The condition is literal so that its index is found. */
const balancesDue = (reader: Reader) =>
  reader
    .selectFrom('seller_balances')
    .select(['seller_id', 'balance_cents'])
    .where('balance_cents', '>', sql.lit('0'));

/** The names of the sellers of some balances. */
const withNames = (reader: Reader, balances: ReturnType<typeof balancesDue>) =>
  reader
    .selectFrom(balances.as('due'))
    .innerJoin('users', 'users.id', 'due.seller_id')
    .select([
      'due.seller_id',
      'due.balance_cents',
      'users.name as seller_name',
      'users.email as seller_email',
    ]);

/** The sellers to whom money is due, the largest amount first. */
export async function listDue(
  reader: Reader,
  request: PageRequest<DueKey>,
  encode: (key: DueKey) => string,
): Promise<Page<SellerDue>> {
  const { after } = request;
  let balances = balancesDue(reader)
    .orderBy('balance_cents', 'desc')
    .orderBy('seller_id')
    .limit(sql.lit(rowsToRead(request)));
  if (after !== null) {
    const [balanceCents, sellerId] = after;
    balances = balances
      .where('balance_cents', '<=', balanceCents)
      .where(({ or, eb }) => or([eb('balance_cents', '<', balanceCents), eb('seller_id', '>', sellerId)]));
  }
  const rows = await withNames(reader, balances)
    .orderBy('due.balance_cents', 'desc')
    .orderBy('due.seller_id')
    .execute();
  return toPage(rows, request, (row) => encode([row.balance_cents, row.seller_id]));
}

/** Sellers per batch of the export. No connection is held between two batches. */
const BATCH_ROWS = 100;

/** Streams the sellers to whom money is due, in the order of their ids. */
export async function* streamDue(reader: Reader): AsyncGenerator<SellerDue[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const balances = balancesDue(reader)
      .where('seller_id', '>', after)
      .orderBy('seller_id')
      .limit(sql.lit(BATCH_ROWS));
    const rows = await withNames(reader, balances).orderBy('due.seller_id').execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.seller_id;
  }
}

/**
 * What can be paid to a seller, in cents, with the balance locked until the transaction ends; negative for a debt. What
 * pending transfers reserve is not available.
 */
export async function lockBalance(transaction: Transaction, sellerId: string): Promise<number> {
  const row = await transaction
    .selectFrom('seller_balances')
    .select('balance_cents')
    .where('seller_id', '=', sellerId)
    .forUpdate()
    .executeTakeFirst();
  // A separate statement sees what was committed before the lock was acquired.
  const { reserved } = await transaction
    .selectFrom('transfers')
    .select(({ fn }) => fn.sum<string | null>('amount_cents').as('reserved'))
    .where('seller_id', '=', sellerId)
    .where('state', '=', sql.lit('pending'))
    .executeTakeFirstOrThrow();
  return Number(row?.balance_cents ?? 0) - Number(reserved ?? 0);
}

/** @returns the settlement's id, or null when this seller has one with the same reference */
export async function insertSettlement(
  transaction: Transaction,
  settlement: { seller_id: string; admin_id: string; amount_cents: number; reference: string },
): Promise<string | null> {
  const row = await transaction
    .insertInto('settlements')
    .values(settlement)
    .onConflict((conflict) => conflict.constraint('one_settlement_per_reference').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

const settlements = (reader: Reader) =>
  reader
    .selectFrom('settlements')
    .innerJoin('users as sellers', 'sellers.id', 'settlements.seller_id')
    .innerJoin('users as admins', 'admins.id', 'settlements.admin_id')
    .select([
      'settlements.id',
      'settlements.number',
      'settlements.seller_id',
      'settlements.amount_cents',
      'settlements.reference',
      'settlements.settled_at',
      'sellers.name as seller_name',
      'sellers.email as seller_email',
      'admins.name as admin_name',
    ]);

/** The settlements, newest first. */
export const listSettlements = (reader: Reader, request: PageRequest): Promise<Page<SettlementRow>> =>
  readPage(settlements(reader), 'settlements.number', request);

export const findSettlement = (reader: Reader, id: string) =>
  settlements(reader).where('settlements.id', '=', id).executeTakeFirst();

/** Whether the shop holds money of a seller's sales that are not released. */
export async function hasHeldSales(reader: Reader, sellerId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('orders')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('released_at', 'is', null)
    .whereRef('refunded_cents', '<', 'price_cents')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
