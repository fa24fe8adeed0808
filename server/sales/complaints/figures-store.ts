import { sql } from 'kysely';
import type { OrderMove } from '#contract/money/order-states.ts';
import type { ShopFigures } from '#contract/sales/shop-figures.ts';
import type { Reader } from '#server/platform/database/tables.ts';

/** The moves that decide a complaint. */
const decisions = [
  'accept',
  'give_way',
  'take_offer',
  'keep_offer',
  'decide_return',
  'decide_refund',
  'decide_part',
  'decide_release',
  'decide_late',
  'refund_rest',
] as const satisfies readonly OrderMove[];

/** Counts all sales, and how many of them are completed. Reads the whole table of orders. */
export async function countSales(reader: Reader): Promise<ShopFigures & { completed: number }> {
  // The first decision or withdrawal ends a complaint; a later one is about another complaint.
  const { rows } = await sql<ShopFigures & { completed: number }>`
    with ended as (
      select distinct on (complaints.id) event, happened_at - complained_at as took
        from complaints join order_events using (order_id)
       where happened_at >= complained_at and (event = 'withdraw' or event = any(${[...decisions]}))
       order by complaints.id, order_events.number
    )
    select count(*)::int as sales,
           count(*) filter (where state = 'completed')::int as completed,
           count(*) filter (where refunded_cents + goodwill_cents > 0)::int as refunded,
           (select count(distinct order_id)::int from complaints) as complaints,
           (select (percentile_cont(0.5) within group (order by extract(epoch from took) / 86400))::float
              from ended where event <> 'withdraw') as "medianDaysToDecide"
      from orders`.execute(reader);
  const [counted] = rows;
  if (counted === undefined) throw new Error('A count has a row.');
  return counted;
}
