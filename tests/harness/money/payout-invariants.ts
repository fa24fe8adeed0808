import type { Pool } from 'pg';
import * as z from 'zod/mini';
import type { ProcessorLedger } from './processor-ledger.ts';

const Transfer = z.object({
  order_id: z.string(),
  state: z.enum(['pending', 'made', 'refused']),
  transfer_id: z.nullable(z.string()),
  amount_cents: z.number(),
  reversed_cents: z.number(),
  has_open_reversal: z.boolean(),
  entered: z.number(),
});

/** @param $1 the laptops; null for all */
const transfersQuery = `
  select order_id, transfers.state, transfer_id, amount_cents, reversed_cents,
         exists (select from transfer_reversals
                  where transfer_reversals.transfer_id = transfers.id and state = 'pending') as has_open_reversal,
         (select coalesce(-sum(ledger_entries.amount_cents), 0) from ledger_postings
            join ledger_entries on posting_id = ledger_postings.id
           where account = 'processor' and kind = 'transfer' and reference = transfers.transfer_id)::int as entered
    from transfers join orders on orders.id = order_id
   where $1::uuid[] is null or laptop_id = any($1)`;

const ordersQuery = 'select id from orders where $1::uuid[] is null or laptop_id = any($1)';

/**
 * Compares the transfers of an idle shop with those at the card processor: each was made once, with the recorded amount and
 * reversals, and none is in progress.
 * @param laptops checks only the orders of these laptops; null for the whole shop
 */
export async function findPayoutViolations(
  pool: Pool,
  { transfers }: Pick<ProcessorLedger, 'transfers'>,
  laptops: string[] | null,
): Promise<string[]> {
  const known = z.parse(z.array(Transfer), (await pool.query(transfersQuery, [laptops])).rows);
  const orders = new Set(
    z
      .parse(z.array(z.object({ id: z.string() })), (await pool.query(ordersQuery, [laptops])).rows)
      .map(({ id }) => id),
  );
  const byId = new Map(known.map((transfer) => [transfer.transfer_id, transfer]));
  const found: string[] = [];
  for (const { id, orderId, amountCents, reversedCents } of transfers) {
    if (orderId === null || !orders.has(orderId)) continue;
    const record = byId.get(id);
    byId.delete(id);
    if (record === undefined) {
      found.push(`${id} transferred ${amountCents} cents for the order ${orderId} and is not recorded.`);
    } else if (record.amount_cents !== amountCents || record.entered !== amountCents) {
      found.push(
        `${id} transferred ${amountCents} cents; ${record.amount_cents} are recorded, ${record.entered} in the ledger.`,
      );
    } else if (record.reversed_cents !== reversedCents) {
      found.push(`${reversedCents} cents of ${id} came back, ${record.reversed_cents} are recorded.`);
    }
  }
  for (const { state, transfer_id, order_id, has_open_reversal } of known) {
    if (state === 'pending') found.push(`The transfer for the order ${order_id} is in progress.`);
    if (has_open_reversal) found.push(`A reversal of ${transfer_id} is in progress.`);
    if (state === 'made' && byId.has(transfer_id)) {
      found.push(`${transfer_id} is recorded and unknown to the card processor.`);
    }
  }
  return found;
}
