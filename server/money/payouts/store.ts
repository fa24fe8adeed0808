import { type RawBuilder, sql } from 'kysely';
import type { PayoutAfter } from '#contract/platform/shop-settings.ts';
import { debtOf } from '#server/money/refunds/steps.ts';
import {
  BATCH_ROWS,
  inBatches,
  type Page,
  type PageRequest,
  readPage,
  rowsToRead,
  toPage,
} from '#server/platform/database/keyset-page.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import type { BalanceColumns, DueKey, MoneyTotals, PayoutHold, SellerDue, SoldOrder } from './rules.ts';

/** The column of `seller_balances` with what can be paid now. Triggers keep it (server/platform/database/schema/money.sql). */
const freeColumns = {
  completed: 'free_after_completion_cents',
  release: 'free_after_release_cents',
} as const satisfies Record<PayoutAfter, string>;

/** What can be paid to a seller now, in a query that reads `seller_balances`; negative for a debt. */
export const transferableCents = (payoutAfter: PayoutAfter) =>
  sql.ref<string>(`seller_balances.${freeColumns[payoutAfter]}`);

/**
 * What a seller is told to owe, in cents, in a query that reads `seller_balances`. If sellers are paid at the release, released sales cover
 * it, and the refunds that wait go on when those sales are completed.
 */
export const owedCents = (
  payoutAfter: PayoutAfter,
) => sql<string>`case when ${transferableCents(payoutAfter)} < 0
  then least(-${transferableCents(payoutAfter)}, ${debtOf(sql.ref('seller_balances.seller_id'))}) else 0 end`;

/**
 * Whether the seller bears a label, in a query of labels and their orders: the carrier has the parcel or keeps the price, or the label can
 * still be used. One that is being given back is charged only if the carrier refuses that.
 */
export const isBorneLabel = sql<boolean>`(labels.state in ('used', 'kept')
  or (labels.state = 'bought' and orders.refunded_cents < orders.price_cents))`;

/** What the seller of an order bears of the labels that the shop bought for it, in cents. */
const labelCents = sql<number>`case when orders.delivery = 'ship' then (
  select coalesce(sum(charged_cents), 0)::int from labels
   where order_id = orders.id and ${isBorneLabel}) else 0 end`;

/**
 * Whether the parcel of a label is with its recipient, or with the seller again, in a query that joins labels and orders. A parcel that
 * is sent again was found, and an order has at most two (`MAXIMUM_PARCELS`): the first one. A laptop that the buyer returns had arrived.
 */
export const isFound = sql<boolean>`(
  labels.tracking in ('delivered', 'return_to_sender') or orders.state in ('released', 'completed')
  or (labels.way = 'out' and orders.laptop_with_buyer)
  or exists (select from order_events
              where order_events.order_id = orders.id
                and (event = 'confirm_return'
                     or (labels.way = 'out' and event in ('take_back', 'report_return', 'collect_return'))
                     or (event = 'send_again' and labels.tracking_number = (
                           select tracking_number from parcels where parcels.order_id = orders.id and nth = 1)))))`;

/**
 * What the insurance of an order's parcels paid, in cents. What it paid for a lost one counts once the buyer has the price and as long as the
 * parcel is not found: otherwise the insurance takes its payment back.
 */
const insuranceCents = sql<number>`(select coalesce(sum(claim_paid_cents), 0)::int from labels
  where order_id = orders.id
    and not (claim = 'paid' and claim_type = 'loss' and (orders.refunded_cents < orders.price_cents or ${isFound})))`;

/** A seller's orders with what is due of each, newest first. */
export async function listSales(
  reader: Reader,
  sellerId: string,
  payoutAfter: PayoutAfter,
  request: PageRequest,
): Promise<Page<SoldOrder>> {
  const query = reader
    .selectFrom('orders')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .select([
      'orders.id',
      'orders.number',
      'orders.placed_at',
      'orders.price_cents',
      'orders.commission_cents',
      'orders.refunded_cents',
      'orders.released_at',
      'orders.state',
      'orders.due_at',
      'laptops.name as laptop_name',
    ])
    .select([labelCents.as('label_cents'), insuranceCents.as('insurance_cents')])
    .where('orders.seller_id', '=', sellerId);
  const page = await readPage(query, 'orders.number', request);
  // A statement of its own: in a join, the function could be called once for each order.
  const { rows: due } = await sql<{ order_id: string; due_cents: string; hold: PayoutHold }>`
    select order_id, due_cents, hold
      from seller_balances
     cross join lateral due_orders(seller_id, balance_cents, ${payoutAfter}) as due
     where seller_id = ${sellerId} and order_id = any(${page.rows.map(({ id }) => id)}::uuid[])`.execute(
    reader,
  );
  const byOrder = new Map(due.map(({ order_id, ...row }) => [order_id, row]));
  return { ...page, rows: page.rows.map((row) => ({ ...row, due: byOrder.get(row.id) ?? null })) };
}

/** What is payable of a seller's sales that are neither over nor in a complaint or bank dispute, in cents: what an insurance paid. */
const unfinishedOf = (seller: string | RawBuilder<string>) => sql<string>`coalesce((
  select sum(payable_cents) from order_payables join orders on orders.id = order_id
   where order_payables.seller_id = ${seller} and payable_cents > 0 and hold <> 'none' and hold = 'stopped'
     and not in_complaint and state <> 'charge_disputed'), 0)`;

/** A seller's totals. */
export async function readTotals(
  reader: Reader,
  sellerId: string,
  payoutAfter: PayoutAfter,
): Promise<MoneyTotals> {
  const { rows } = await sql<MoneyTotals>`
    select coalesce(unreleased.held_cents, 0) as held_cents, coalesce(unreleased.disputed_cents, 0) as disputed_cents,
           coalesce(balance_cents, 0) as balance_cents, coalesce(paid_cents, 0) as paid_cents,
           coalesce(${transferableCents(payoutAfter)}, 0) as free_cents, coalesce(waiting_cents, 0) as waiting_cents,
           coalesce(disputed_orders, 0) as disputed_orders, ${owedCents(payoutAfter)} as debt_cents,
           ${unfinishedOf(sellerId)} as unfinished_cents,
           (select min(orders.due_at) from order_payables join orders on orders.id = order_id
             where order_payables.seller_id = ${sellerId} and payable_cents > 0 and hold <> 'none'
               and hold = 'complaints') as waiting_from
      from (values (${sellerId}::uuid)) as sellers (seller_id) left join seller_balances using (seller_id)
     cross join lateral (
       select sum(cents) filter (where state <> 'charge_disputed') as held_cents,
              sum(cents) filter (where state = 'charge_disputed') as disputed_cents
         from (select state, price_cents - refunded_cents
                             - commission_cents::bigint * (price_cents - refunded_cents) / price_cents
                               / smallest_amount * smallest_amount - ${labelCents} as cents
                 from orders, shop_currency
                where seller_id = ${sellerId} and released_at is null and refunded_cents < price_cents) as shares
     ) as unreleased
  `.execute(reader);
  const [totals] = rows;
  if (totals === undefined) throw new Error('a query without a table returned no row');
  return totals;
}

/** The balances of sellers. Callers compare them with literals, so that the index of amounts due is found. */
const balances = (reader: Reader, payoutAfter: PayoutAfter) =>
  reader
    .selectFrom('seller_balances')
    .select(['seller_id', 'balance_cents', 'waiting_cents', 'disputed_orders'])
    .select(transferableCents(payoutAfter).as('free_cents'))
    .select(owedCents(payoutAfter).as('debt_cents'))
    .select(unfinishedOf(sql.ref('seller_balances.seller_id')).as('unfinished_cents'));

/** A seller's balance; undefined before anything was released. */
export const findBalance = (
  reader: Reader,
  sellerId: string,
  payoutAfter: PayoutAfter,
): Promise<BalanceColumns | undefined> =>
  balances(reader, payoutAfter).where('seller_id', '=', sellerId).executeTakeFirst();
type Balances = ReturnType<typeof balances>;

const balancesOwed = (reader: Reader, payoutAfter: PayoutAfter) =>
  balances(reader, payoutAfter).where('balance_cents', '>', sql.lit('0'));

/** The names of the sellers of some balances. */
const withSellerNames = (reader: Reader, some: Balances) =>
  reader
    .selectFrom(some.as('due'))
    .innerJoin('users', 'users.id', 'due.seller_id')
    .selectAll('due')
    .select([
      'users.name as seller_name',
      'users.email as seller_email',
      'users.ended_at as seller_ended_at',
    ]);

/** Streams the sellers to whom something can be paid now, in the order of their ids. */
export const streamDue = (reader: Reader, payoutAfter: PayoutAfter): AsyncGenerator<SellerDue[]> =>
  inBatches<SellerDue>((last) => {
    const next = balancesOwed(reader, payoutAfter)
      .where(transferableCents(payoutAfter), '>', '0')
      .where('seller_id', '>', last?.seller_id ?? '00000000-0000-0000-0000-000000000000')
      .orderBy('seller_id')
      .limit(sql.lit(BATCH_ROWS));
    return withSellerNames(reader, next).orderBy('due.seller_id').execute();
  });

/** The sellers whom the shop owes money, the largest amount that can be paid now first. */
export async function listDue(
  reader: Reader,
  payoutAfter: PayoutAfter,
  request: PageRequest<DueKey>,
  encode: (key: DueKey) => string,
): Promise<Page<SellerDue>> {
  const { after } = request;
  const free = transferableCents(payoutAfter);
  let owed = balancesOwed(reader, payoutAfter)
    .orderBy(free, 'desc')
    .orderBy('seller_id')
    .limit(sql.lit(rowsToRead(request)));
  if (after !== null) {
    const [cents, sellerId] = after;
    owed = owed
      .where(free, '<=', cents)
      .where(({ or, eb }) => or([eb(free, '<', cents), eb('seller_id', '>', sellerId)]));
  }
  const rows = await withSellerNames(reader, owed)
    .orderBy('due.free_cents', 'desc')
    .orderBy('due.seller_id')
    .execute();
  return toPage(rows, request, (row) => encode([row.free_cents, row.seller_id]));
}

/** A seller's locked balance, less what pending transfers reserve. */
export interface LockedBalance {
  /** What can be paid now, in cents; negative: a debt that no payable money covers. */
  freeCents: number;
  /** What the shop owes the seller, in cents, whether or not it can be paid now; negative for a debt. */
  owedCents: number;
}

/**
 * Locks a seller's balance until the transaction ends.
 * @param orderId the order that the transaction also writes about. It is locked first, as a change of an order's state does, so
 *   that the two never wait for each other
 */
export async function lockBalance(
  transaction: Transaction,
  sellerId: string,
  payoutAfter: PayoutAfter,
  orderId: string | null = null,
): Promise<LockedBalance> {
  if (orderId !== null) {
    await transaction.selectFrom('orders').select('id').where('id', '=', orderId).forKeyShare().execute();
  }
  const row = await transaction
    .selectFrom('seller_balances')
    .select('balance_cents')
    .select(transferableCents(payoutAfter).as('free_cents'))
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
  const reservedCents = Number(reserved ?? 0);
  return {
    freeCents: Number(row?.free_cents ?? 0) - reservedCents,
    owedCents: Number(row?.balance_cents ?? 0) - reservedCents,
  };
}

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
