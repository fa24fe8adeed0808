import { type Insertable, sql, type Updateable } from 'kysely';
import * as z from 'zod/mini';
import type { OrderActor, ParcelNews, TimedOrderState } from '#contract/money/order-states.ts';
import { amountFromCents } from '#contract/platform/scalars.ts';
import { type ComplaintKind, isAboutCondition } from '#contract/sales/complaints.ts';
import { type Order, type OrderEvent, OrderRefund, type Parcel } from '#contract/sales/orders.ts';
import { LATE_DAYS } from '#contract/sales/shipping.ts';
import type { LedgerLabel } from '#server/money/ledger/rules.ts';
import { isBorneLabel } from '#server/money/payouts/steps.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Database, Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import { type ItemQueue, isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import { addressColumns } from '../addresses/steps.ts';
import { isClaim } from './open-insurance-claims.ts';
import { type OrderedLaptop, toParcel } from './rules.ts';

/** Whether a table has rows of the laptop of an order. */
const hasRows = (table: 'certificate_versions' | 'measurements') =>
  sql<boolean>`exists (select from ${sql.table(table)} where laptop_id = orders.laptop_id)`;

/** Selects from orders with their laptops and people. */
export const ordersWithPeople = (reader: Reader) =>
  reader
    .selectFrom('orders')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .innerJoin('users as buyers', 'buyers.id', 'orders.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'orders.seller_id')
    .select(['laptops.name as laptop_name', 'buyers.name as buyer_name', 'sellers.name as seller_name']);

/** Selects from orders with a photo and how the people are rated as well. */
export const ordersWithRatings = (reader: Reader) =>
  ordersWithPeople(reader)
    .leftJoin('reputations as seller_sums', 'seller_sums.user_id', 'sellers.id')
    .leftJoin('reputations as buyer_sums', 'buyer_sums.user_id', 'buyers.id')
    .select([
      'laptops.images as laptop_images',
      'sellers.ended_at as seller_ended_at',
      'seller_sums.reviews as seller_reviews',
      'seller_sums.stars as seller_stars',
      'buyer_sums.buyer_reviews',
      'buyer_sums.buyer_stars',
    ]);

/** Planning it takes longer than reading one order. */
const orderedLaptops = (reader: Reader) =>
  ordersWithRatings(reader)
    .modifyFront(prepared)
    .leftJoin('shipping_addresses', 'shipping_addresses.booking_id', 'orders.booking_id')
    .select([
      'orders.id',
      'orders.number',
      'orders.booking_id',
      'orders.laptop_id',
      'orders.buyer_id',
      'orders.seller_id',
      'orders.transaction_id',
      'orders.placed_at',
      'orders.price_cents',
      'orders.commission_cents',
      'orders.delivery',
      'orders.shipped_at',
      'orders.delivered_at',
      'orders.reminded_in',
      'orders.is_put_off',
      'orders.state',
      'orders.state_since',
      'orders.due_at',
      'orders.promised_until',
      'orders.disputed_in',
      'orders.in_complaint',
      'orders.cancel_reason',
      'orders.laptop_with_buyer',
      'orders.stands',
      'orders.handover_code',
      'orders.wrong_codes',
      'orders.codes_locked_until',
      'orders.released_at',
      'orders.refunded_cents',
      'orders.goodwill_cents',
      ...addressColumns,
    ])
    .select(sql<ParcelNews | null>`parcel_news(orders, ${sql.lit(LATE_DAYS)})`.as('news'))
    .select([
      hasRows('certificate_versions').as('has_certificate'),
      hasRows('measurements').as('is_measured'),
    ]);

/** Finds an order with its laptop, buyer and seller. */
export function findOrder(reader: Reader, id: string): Promise<OrderedLaptop | undefined> {
  return orderedLaptops(reader).where('orders.id', '=', id).executeTakeFirst();
}

/** Finds an order and locks its row. */
export function selectOrderForUpdate(
  transaction: Transaction,
  id: string,
): Promise<OrderedLaptop | undefined> {
  return orderedLaptops(transaction).where('orders.id', '=', id).forUpdate('orders').executeTakeFirst();
}

/** The orders of a seller whose laptop waits for the hand-over, or to be sent. */
export async function ordersToHandOver(reader: Reader, sellerId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('orders')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('state', 'in', ['held', 'to_ship'])
    .execute();
  return rows.map(({ id }) => id);
}

/** The orders of a buyer that are still to be handed over, sent or delivered. */
export async function ordersToArrive(reader: Reader, buyerId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('state', 'in', ['held', 'to_ship', 'shipped'])
    .execute();
  return rows.map(({ id }) => id);
}

/** A buyer and a laptop: at most one order of them stands. */
interface BuyerAndLaptop {
  buyerId: string;
  laptopId: string;
}

type HeldOrder = Pick<Row<'orders'>, 'id' | 'state_since' | 'promised_until' | 'due_at'>;

const heldOrders = (reader: Reader, { buyerId, laptopId }: BuyerAndLaptop) =>
  reader
    .selectFrom('orders')
    .select(['id', 'state_since', 'promised_until', 'due_at'])
    .where('laptop_id', '=', laptopId)
    .where('stands', '=', sql.lit(true))
    .where('buyer_id', '=', buyerId)
    .where('state', '=', 'held');

/** The order of a buyer and a laptop, if its money is held. */
export const findHeldOrder = (reader: Reader, people: BuyerAndLaptop): Promise<HeldOrder | undefined> =>
  heldOrders(reader, people).executeTakeFirst();

/** Finds the order of a buyer and a laptop, if its money is held, and locks its row. */
export const selectHeldOrderForUpdate = (
  transaction: Transaction,
  people: BuyerAndLaptop,
): Promise<HeldOrder | undefined> => heldOrders(transaction, people).forUpdate().executeTakeFirst();

/** When a buyer and a seller have agreed to meet about a laptop; null when they have not. */
export async function agreedMeetingAt(
  reader: Reader,
  { buyerId, laptopId }: BuyerAndLaptop,
): Promise<Date | null> {
  const row = await reader
    .selectFrom('conversations')
    .innerJoin('meetings', 'meetings.conversation_id', 'conversations.id')
    .select('meetings.starts_at')
    .where('conversations.laptop_id', '=', laptopId)
    .where('conversations.buyer_id', '=', buyerId)
    .where('meetings.state', '=', sql.lit('agreed'))
    .where(sql<boolean>`is_planned(meetings)`)
    .executeTakeFirst();
  return row?.starts_at ?? null;
}

/** What the buyer of an order complained about last; undefined without a complaint. */
export async function lastComplaintKind(reader: Reader, orderId: string): Promise<ComplaintKind | undefined> {
  const complaint = await reader
    .selectFrom('complaints')
    .select('kind')
    .where('order_id', '=', orderId)
    .orderBy('nth', 'desc')
    .limit(1)
    .executeTakeFirst();
  return complaint?.kind;
}

/**
 * Whether the buyer of an order says that the laptop is not as described or does not work: by the complaint that is open, or to the
 * bank by a dispute that the shop has not won. `product_unacceptable` is Stripe's reason for it
 * (https://docs.stripe.com/disputes/categories).
 */
export async function isFoundOtherwise(
  reader: Reader,
  { id, in_complaint, transaction_id }: Pick<OrderedLaptop, 'id' | 'in_complaint' | 'transaction_id'>,
): Promise<boolean> {
  const kind = in_complaint ? await lastComplaintKind(reader, id) : undefined;
  if (kind !== undefined && isAboutCondition(kind)) return true;
  const dispute = await reader
    .selectFrom('disputes')
    .select('id')
    .where('transaction_id', '=', transaction_id)
    .where('reason', '=', 'product_unacceptable')
    .where('state', '!=', 'won')
    .executeTakeFirst();
  return dispute !== undefined;
}

/**
 * Whether the parcel of an order has arrived as far as the shop knows: it was reported, at last by its carrier while a bank decides, and
 * the buyer says otherwise neither to the shop nor to the bank.
 */
export async function hasArrived(reader: Reader, { id }: Pick<OrderedLaptop, 'id'>): Promise<boolean> {
  const { rows } = await sql<{ has_arrived: boolean }>`
    select case coalesce(disputed_in, state)
             when 'delivered' then true
             when 'shipped' then (
               select tracking = 'delivered' and former_address is null from parcels left join labels using (order_id, tracking_number)
                where order_id = orders.id and parcels.way = 'out' order by parcels.nth desc limit 1)
             else false end
           and not exists (select from disputes
                            where disputes.transaction_id = orders.transaction_id and reason = 'product_not_received'
                              and disputes.state <> 'won') as has_arrived
      from orders where id = ${id}`.execute(reader);
  return rows[0]?.has_arrived === true;
}

/** Finds the order of a payment. @returns its id */
export async function findOrderIdOfPayment(reader: Reader, transactionId: string): Promise<string | null> {
  const row = await reader
    .selectFrom('orders')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertOrder(
  transaction: Transaction,
  order: Omit<Insertable<Tables['orders']>, 'buyer_name' | 'seller_name'>,
): Promise<string> {
  const nameOf = (id: string) => sql<string>`(select name from users where id = ${id})`;
  const { id } = await transaction
    .insertInto('orders')
    .values({ ...order, buyer_name: nameOf(order.buyer_id), seller_name: nameOf(order.seller_id) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes an order. It must be locked. */
export async function updateOrder(
  transaction: Transaction,
  id: string,
  changes: Updateable<Tables['orders']>,
): Promise<void> {
  await transaction.updateTable('orders').set(changes).where('id', '=', id).execute();
}

/**
 * The ids of orders whose deadline is before a time and whose people were not reminded in their state, the most urgent first; without
 * postponed ones.
 * @param queue of the reminders that failed
 */
export async function ordersToRemind(
  database: Database,
  { queue, states }: { queue: ItemQueue; states: readonly TimedOrderState[] },
  { now, before }: { now: Date; before: Date },
  limit: number,
): Promise<string[]> {
  // Not by parameters: a plan for all parameters could not use the indexes of these states.
  const literals = sql.join(states.map((state) => sql.lit(state)));
  const rows = await database
    .selectFrom('orders')
    .select('id')
    .where(sql<boolean>`state in (${literals})`)
    .where('due_at', '<', before)
    .where(sql<boolean>`reminded_in is distinct from state`)
    .where(isNotPostponed(queue, sql.ref('orders.id'), now))
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** An event of an order that is recorded. */
export interface NewEvent {
  order_id: string;
  event: OrderEvent['event'];
  actor: OrderActor;
  amount_cents: number | null;
}

export async function insertEvent(transaction: Transaction, event: NewEvent): Promise<void> {
  await transaction.insertInto('order_events').values(event).execute();
}

/** What happened to orders, oldest first, by the order's id. */
export async function timelinesOf(
  reader: Reader,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OrderEvent[]>> {
  const timelines = new Map<string, OrderEvent[]>(orderIds.map((id) => [id, []]));
  if (orderIds.length === 0) return timelines;
  const rows = await reader
    .selectFrom('order_events')
    .select(['order_id', 'happened_at', 'event', 'actor', 'amount_cents'])
    .where('order_id', 'in', orderIds)
    .orderBy('order_id')
    .orderBy('number')
    .execute();
  for (const { order_id, happened_at, event, actor, amount_cents } of rows) {
    timelines.get(order_id)?.push({
      at: happened_at.toISOString(),
      event,
      by: actor,
      ...(amount_cents !== null && { amount: amountFromCents(amount_cents) }),
    });
  }
  return timelines;
}

/** The parcels of an order, oldest first. */
export async function parcelsOf(reader: Reader, orderId: string): Promise<Parcel[]> {
  const rows = await reader
    .selectFrom('parcels')
    .innerJoin('orders', 'orders.id', 'parcels.order_id')
    .leftJoin('labels', (join) =>
      join
        .onRef('labels.order_id', '=', 'parcels.order_id')
        .onRef('labels.tracking_number', '=', 'parcels.tracking_number'),
    )
    .select(['parcels.way', 'parcels.carrier', 'parcels.tracking_number', 'sent_at', 'report'])
    .select(['tracking', 'tracked_at', 'former_address', 'claim_paid_cents'])
    // An open claim of a parcel that was found is none.
    .select(sql<string | null>`case when claim <> 'open' or ${isClaim} then claim end`.as('claim'))
    .select(
      sql<'found' | 'if_found' | null>`case when claim = 'paid' and claim_type = 'loss' then
        case when ${isClaim} then 'found' when refunded_cents < price_cents then 'if_found' end end`.as(
        'claim_returnable',
      ),
    )
    .where('parcels.order_id', '=', orderId)
    .orderBy('nth')
    .execute();
  return rows.map(toParcel);
}

/** The photos of how the laptop of an order was packed, oldest first, in their stored form. */
export async function packingPhotosOf(reader: Reader, orderId: string): Promise<Order['packingPhotos']> {
  const rows = await reader
    .selectFrom('packing_photos')
    .select(['photo', 'added_at'])
    .where('order_id', '=', orderId)
    .orderBy('nth')
    .execute();
  return rows.map(({ photo, added_at }) => ({ photo, at: added_at.toISOString() }));
}

/** The labels of an order that its seller bears and that are not given back. */
export async function labelsToCharge(reader: Reader, orderId: string): Promise<LedgerLabel[]> {
  const rows = await reader
    .selectFrom('labels')
    .select(['id', 'cost_cents', 'premium_cents', 'charged_cents'])
    .where('order_id', '=', orderId)
    .where('state', 'in', ['used', 'kept'])
    .where('charged_cents', '>', 0)
    .execute();
  return rows.map(({ id, cost_cents, premium_cents, charged_cents }) => ({
    id,
    orderId,
    costCents: cost_cents ?? 0,
    premiumCents: premium_cents ?? 0,
    chargedCents: charged_cents ?? 0,
  }));
}

/** What the seller of an order bears of its labels, in cents; null without any. */
export async function borneLabelCentsOf(reader: Reader, orderId: string): Promise<number | null> {
  const { cents } = await reader
    .selectFrom('labels')
    .innerJoin('orders', 'orders.id', 'labels.order_id')
    .select(sql<number | null>`sum(charged_cents)::int`.as('cents'))
    .where('order_id', '=', orderId)
    .where(isBorneLabel)
    .executeTakeFirstOrThrow();
  return cents;
}

/** What the seller of an order can come to bear of its labels, in cents; null without any that was not given back. */
export async function labelCentsOf(reader: Reader, orderId: string): Promise<number | null> {
  const { cents } = await reader
    .selectFrom('labels')
    .select(sql<number | null>`sum(charged_cents)::int`.as('cents'))
    .where('order_id', '=', orderId)
    .where('state', 'in', ['bought', 'used', 'kept', 'voiding'])
    .executeTakeFirstOrThrow();
  return cents;
}

/** What went back or goes back to the buyer of an order, oldest first. */
export async function refundsOf(reader: Reader, transactionId: string): Promise<OrderRefund[]> {
  const rows = await reader
    .selectFrom('refunds')
    .select(['id', 'amount_cents', 'reason', 'state', 'note', 'created_at'])
    .where('transaction_id', '=', transactionId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ id, amount_cents, reason, state, note, created_at }) => {
    const known = z.safeParse(OrderRefund.shape.reason, reason);
    // The others are of payments that bought nothing, or wait in the account `suspense` to be explained.
    if (!known.success) return [];
    return {
      _id: id,
      amount: amountFromCents(amount_cents),
      reason: known.data,
      state,
      ...(note !== '' && { text: note }),
      at: created_at.toISOString(),
    };
  });
}

/** The ids of the orders in these states whose deadline has passed, the longest overdue first; without postponed ones. */
export async function findDueOrderIds(
  database: Database,
  states: readonly TimedOrderState[],
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await database
    .selectFrom('orders')
    .select('id')
    .where('due_at', '<=', now)
    .where('state', 'in', states)
    .where(isNotPostponed('order deadlines', sql.ref('orders.id'), now))
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether a buyer has an order. */
export async function hasOrders(reader: Reader, buyerId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Erases a person's name from the sales, and the reasons that the person gave for cancelling some as their seller. */
export async function erasePersonInOrders(transaction: Transaction, userId: string): Promise<void> {
  await transaction.updateTable('orders').set({ buyer_name: null }).where('buyer_id', '=', userId).execute();
  await transaction
    .updateTable('orders')
    .set({ seller_name: null, cancel_reason: sql`case when cancel_reason is not null then '' end` })
    .where('seller_id', '=', userId)
    .execute();
}
