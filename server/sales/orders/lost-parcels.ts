import { sql } from 'kysely';
import type { Transaction } from '#server/platform/database/tables.ts';

/**
 * Whether the parcel of a label is with its recipient, or with the seller again, in a query that joins labels and orders. A parcel that
 * is sent again was found, and an order has at most two (`MAXIMUM_PARCELS`): the first one. A laptop that the buyer returns had arrived.
 */
const isFound = sql<boolean>`(
  labels.tracking in ('delivered', 'return_to_sender') or orders.state in ('released', 'completed')
  or (labels.way = 'out' and orders.laptop_with_buyer)
  or exists (select from order_events
              where order_events.order_id = orders.id
                and (event = 'confirm_return'
                     or (labels.way = 'out' and event in ('take_back', 'report_return', 'collect_return'))
                     or (event = 'send_again' and labels.tracking_number = (
                           select tracking_number from parcels where parcels.order_id = orders.id and nth = 1)))))`;

/** Whether an admin has to do with a claim: the insurance has not paid for a lost parcel, or has paid for one that was found. */
export const isClaim = sql<boolean>`case claim when 'open' then not ${isFound} when 'paid' then ${isFound} else false end`;

/** Opens the claims of the used and insured labels of a locked order, or of one of them, whose parcels are not found. */
export async function openClaims(
  transaction: Transaction,
  [column, id]: readonly [column: 'order_id' | 'id', id: string],
): Promise<void> {
  await transaction
    .updateTable('labels')
    .from('orders')
    .set({ claim: 'open' })
    .whereRef('orders.id', '=', 'labels.order_id')
    .where(`labels.${column}`, '=', id)
    .where('labels.state', '=', 'used')
    .where('insured_cents', '>', 0)
    .where('claim', 'is', null)
    .where(sql<boolean>`not ${isFound}`)
    .execute();
}
