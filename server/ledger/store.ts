import type { Reader, Transaction } from '../database/tables.ts';
import type { Entry, Posting } from './rules.ts';

/** @returns the posting's id, or null when this kind was posted for the reference before */
export async function insertPosting(
  transaction: Transaction,
  { kind, reference }: Posting,
): Promise<string | null> {
  const row = await transaction
    .insertInto('ledger_postings')
    .values({ kind, reference })
    .onConflict((conflict) => conflict.constraint('posted_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertEntries(
  transaction: Transaction,
  postingId: string,
  entries: readonly Entry[],
): Promise<void> {
  await transaction
    .insertInto('ledger_entries')
    .values(
      entries.map((entry) => ({
        posting_id: postingId,
        account: entry.account,
        amount_cents: entry.amountCents,
        order_id: entry.orderId,
        seller_id: entry.account === 'payable' ? entry.sellerId : null,
      })),
    )
    .execute();
}

/** What the shop owes a seller, in cents; negative when the seller owes the shop. */
export async function payableTo(reader: Reader, sellerId: string): Promise<number> {
  const { total } = await reader
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.sum<string | null>('amount_cents').as('total'))
    .where('account', '=', 'payable')
    .where('seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
  return 0 - Number(total ?? 0);
}
