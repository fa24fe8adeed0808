import { sql } from 'kysely';
import type { OrderMove } from '#contract/money/order-states.ts';
import { COUNTED_SALES, MINIMUM_COMPLETED_SALES, type ShopFigures } from '#contract/sales/shop-figures.ts';
import type { Reader } from '#server/platform/database/tables.ts';

/** The moves that decide a complaint. */
const decisions = [
  'accept',
  'accept_late',
  'take_offer',
  'take_offer_late',
  'decide_return',
  'decide_refund',
  'decide_part',
  'decide_release',
  'decide_late',
  'refund_rest',
] as const satisfies readonly OrderMove[];

/**
 * Counts the latest sales.
 * @param minimum how many of them must be completed @returns null while fewer are
 */
export async function readFigures(
  reader: Reader,
  minimum = MINIMUM_COMPLETED_SALES,
): Promise<ShopFigures | null> {
  // The first decision or withdrawal ends a complaint; a later one is about the next complaint.
  const { rows } = await sql<ShopFigures>`
    with latest as (select * from orders order by number desc limit ${sql.lit(COUNTED_SALES)}),
    ended as (
      select distinct on (complaints.id) event, happened_at - complained_at as took
        from latest
        join complaints on complaints.order_id = latest.id
        join order_events on order_events.order_id = latest.id and happened_at >= complained_at
       where event = 'withdraw' or event = any(${[...decisions]})
       order by complaints.id, order_events.number
    )
    select count(*)::int as sales,
           count(*) filter (where refunded_cents + goodwill_cents > 0)::int as refunded,
           count(*) filter (where exists (select from complaints where order_id = latest.id))::int as complaints,
           (select percentile_cont(0.5) within group (order by extract(epoch from took) / 86400)
              from ended where event <> 'withdraw')::float as "medianDaysToDecide"
      from latest
    having count(*) filter (where state = 'completed') >= ${minimum}`.execute(reader);
  return rows[0] ?? null;
}
