import { sql } from 'kysely';
import type { Parcel } from '#contract/sales/orders.ts';
import type { TrackedParcel } from '#contract/sales/shipping.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/page.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { isNumberOfOther } from './label-store.ts';
import { LATE_MS, type LateOrder, LISTED_MS } from './rules.ts';

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

/**
 * The orders whose parcel is late, or arrived late: until its seller offers the laptop again, or the price of a late return goes back.
 * Newest first.
 */
export function lateOrders(database: Database, now: Date, request: PageRequest): Promise<Page<LateOrder>> {
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
    .select(
      sql<LateOrder['state']>`case when ${isUnderWay} then orders.state else 'arrived_late' end`.as('state'),
    )
    .select(sql<Date | null>`case when ${isUnderWay} then orders.due_at end`.as('due_at'))
    .where(
      sql<boolean>`orders.id in (
        select id from orders where ${isUnderWay} and due_at < ${new Date(now.getTime() + LATE_MS)}
        union all
        select order_id from order_events
         where event = 'arrive_late' and happened_at > ${new Date(now.getTime() - LISTED_MS)})`,
    )
    .where(
      sql<boolean>`case when stands then ${isUnderWay} or orders.state in ('released', 'completed')
                        else laptops.state = 'withdrawn' end`,
    );
  return readPage(orders, 'orders.number', request);
}

/** How many parcels are late, by the state of their order. */
export async function countLateParcels(
  reader: Reader,
  now: Date,
): Promise<Record<'to_ship' | 'shipped', number>> {
  const { to_ship, shipped } = await reader
    .selectFrom('orders')
    .select(sql<number>`(count(*) filter (where state = 'to_ship'))::int`.as('to_ship'))
    .select(sql<number>`(count(*) filter (where state = 'shipped'))::int`.as('shipped'))
    .where(isUnderWay)
    .where('due_at', '<', new Date(now.getTime() + LATE_MS))
    .executeTakeFirstOrThrow();
  return { to_ship, shipped };
}
