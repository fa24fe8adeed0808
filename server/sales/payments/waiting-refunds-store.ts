import { sql } from 'kysely';
import * as z from 'zod/mini';
import { isRefundWithheld } from '#server/money/refunds/steps.ts';
import { type Page, type PageRequest, rowsToRead, toPage } from '#server/platform/database/keyset-page.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import type { ListedWaitingRefund } from './rules.ts';

/** The sort key of the list: when a refund was decided, as PostgreSQL writes it, and its id. */
export const WaitingKey = z.tuple([z.string().check(z.regex(/^\d{4}-[\d :.+-]{1,40}$/)), z.uuid()]);
export type WaitingKey = z.infer<typeof WaitingKey>;

/** The refunds that wait until the money is back from the seller, or that failed and are owed to their buyer, oldest first. */
export async function listWaitingRefunds(
  reader: Reader,
  request: PageRequest<WaitingKey>,
  encode: (key: WaitingKey) => string,
): Promise<Page<ListedWaitingRefund & { key: string }>> {
  const [since, id] = request.after ?? ['-infinity', '00000000-0000-0000-0000-000000000000'];
  const { rows } = await sql<ListedWaitingRefund & { key: string }>`
    select refunds.id, orders.id as order_id, laptops.name as laptop_name, buyers.name as buyer_name,
           sellers.name as seller_name, refunds.amount_cents, refunds.created_at, refunds.created_at::text as key, refunds.failure_reason,
           (select transfer_reversals.failure from transfer_reversals
              join transfers on transfers.id = transfer_reversals.transfer_id
             where transfers.order_id = orders.id
             order by transfer_reversals.created_at desc limit 1) as failure,
           exists (select from transfers where transfers.order_id = orders.id and transfers.state <> 'refused') as was_transferred,
           -- A new account takes the place of a closed one.
           exists (select from transfers left join payout_accounts on payout_accounts.account_id = transfers.account_id
                    where transfers.order_id = orders.id and transfers.state <> 'refused'
                      and coalesce(payout_accounts.state, 'closed') = 'closed') as is_account_closed,
           ${isRefundWithheld} as is_withheld
      from refunds
      join bookings on bookings.id = refunds.booking_id
      join laptops on laptops.id = bookings.laptop_id
      join users as buyers on buyers.id = bookings.buyer_id
      join users as sellers on sellers.id = bookings.seller_id
      left join orders on orders.transaction_id = refunds.transaction_id
     where refunds.state in ('waiting', 'failed') and refunds.reason <> 'unexplained' and (refunds.created_at, refunds.id) > (${since}::timestamptz, ${id}::uuid)
     order by refunds.created_at, refunds.id limit ${rowsToRead(request)}`.execute(reader);
  return toPage(rows, request, ({ key, id: last }) => encode([key, last]));
}
