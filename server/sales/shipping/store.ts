import { sql } from 'kysely';
import type { Parcel } from '#contract/sales/orders.ts';
import type { TrackedParcel } from '#contract/sales/shipping.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/page.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import { isNumberOfOther } from './label-store.ts';
import { LATE_MS, type LateOrder } from './rules.ts';

/** The parcels of a locked order, oldest first. */
export const parcelsOf = (reader: Reader, orderId: string): Promise<Row<'parcels'>[]> =>
  reader.selectFrom('parcels').selectAll().where('order_id', '=', orderId).orderBy('nth').execute();

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

/** The orders whose parcel is late, newest first. @param before parcels whose deadline is earlier */
export function lateOrders(database: Database, before: Date, request: PageRequest): Promise<Page<LateOrder>> {
  const orders = database
    .selectFrom('orders')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .innerJoin('users as buyers', 'buyers.id', 'orders.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'orders.seller_id')
    .select([
      'orders.id',
      'orders.number',
      'orders.state_since',
      'laptops.name as laptop_name',
      'buyers.name as buyer_name',
      'sellers.name as seller_name',
    ])
    .select(sql<LateOrder['state']>`orders.state`.as('state'))
    .select(sql<Date>`orders.due_at`.as('due_at'))
    .where(isUnderWay)
    .where('orders.due_at', '<', before);
  return readPage(orders, 'orders.number', request);
}

/** How many parcels are late, by the state of their order. */
export async function countLateParcels(
  reader: Reader,
  now: Date,
): Promise<Record<LateOrder['state'], number>> {
  const { to_ship, shipped } = await reader
    .selectFrom('orders')
    .select(sql<number>`(count(*) filter (where state = 'to_ship'))::int`.as('to_ship'))
    .select(sql<number>`(count(*) filter (where state = 'shipped'))::int`.as('shipped'))
    .where(isUnderWay)
    .where('due_at', '<', new Date(now.getTime() + LATE_MS))
    .executeTakeFirstOrThrow();
  return { to_ship, shipped };
}

/** The ids of orders whose people were not reminded in their state, the most urgent first. */
export async function ordersToRemind(
  database: Database,
  { now, before }: { now: Date; before: Date },
  limit: number,
): Promise<string[]> {
  const rows = await database
    .selectFrom('orders')
    .select('id')
    .where(isUnderWay)
    .where('due_at', '<', before)
    .where(sql<boolean>`reminded_in is distinct from state`)
    .where(isNotPostponed('parcel reminders', sql.ref('orders.id'), now))
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
