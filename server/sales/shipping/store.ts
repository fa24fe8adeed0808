import { sql } from 'kysely';
import type { Parcel } from '#contract/sales/orders.ts';
import { LATE_DAYS, type TrackedParcel } from '#contract/sales/shipping.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { ordersWithPeople } from '../orders/steps.ts';
import { isNumberOfOther } from './label-store.ts';
import { type LateOrder, LISTED_DAYS } from './rules.ts';

/** Adds a parcel to a locked order. @returns false for a number of another parcel, of another's label, or of one that was given back */
export async function insertParcel(
  transaction: Transaction,
  orderId: string,
  { way, carrier, trackingNumber }: TrackedParcel & Pick<Parcel, 'way'>,
): Promise<boolean> {
  if (await isNumberOfOther(transaction, { orderId, way, trackingNumber })) return false;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('parcels')
    .values({
      order_id: orderId,
      nth: sql<number>`(select count(*) + 1 from parcels where order_id = ${orderId})`,
      way,
      carrier,
      tracking_number: trackingNumber,
    })
    .onConflict((conflict) => conflict.column('tracking_number').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Stores what was reported of the latest parcel to the buyer of a locked order. */
export async function setReport(transaction: Transaction, orderId: string, report: string): Promise<void> {
  await sql`
    update parcels set report = ${report}
     where order_id = ${orderId}
       and nth = (select max(nth) from parcels where order_id = ${orderId} and way = 'out')`.execute(
    transaction,
  );
}

/**
 * Whether an order is in a state in which the price goes back when its parcel is late. Not by parameters: a plan for all parameters
 * could not use the index of these orders.
 */
const isUnderWay = sql<boolean>`orders.state in ('to_ship', 'shipped')`;

/**
 * Whether the parcel of an order is late, or arrived late: until its seller offers the laptop again, or the price of a late return goes
 * back. In a query that joins orders and laptops.
 */
export const isLate = sql<boolean>`(
  orders.id in (select id from orders where ${isUnderWay} and due_at < now() + make_interval(days => ${sql.lit(LATE_DAYS)})
                union all
                select order_id from order_events
                 where event = 'arrive_late' and happened_at > now() - make_interval(days => ${sql.lit(LISTED_DAYS)}))
  and case when stands then ${isUnderWay} or orders.state in ('released', 'completed')
           else laptops.state = 'withdrawn' end)`;

const lateState = sql<LateOrder['state']>`case when ${isUnderWay} then orders.state else 'arrived_late' end`;

/** The orders whose parcel is late, newest first. */
export function lateOrders(database: Database, request: PageRequest): Promise<Page<LateOrder>> {
  const orders = ordersWithPeople(database)
    .select(['orders.id', 'orders.number', 'orders.state_since'])
    .select(lateState.as('state'))
    .select(sql<Date | null>`case when ${isUnderWay} then orders.due_at end`.as('due_at'))
    .where(isLate);
  return readPage(orders, 'orders.number', request);
}

/** How many parcels are late, by their state in the list. */
export async function countLateParcels(reader: Reader): Promise<Record<LateOrder['state'], number>> {
  const rows = await reader
    .selectFrom('orders')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .select(lateState.as('state'))
    .select(sql<number>`count(*)::int`.as('count'))
    .where(isLate)
    .groupBy(lateState)
    .execute();
  const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { to_ship: 0, shipped: 0, arrived_late: 0, ...counts };
}
