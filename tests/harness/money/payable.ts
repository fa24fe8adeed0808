import type { Reader } from '#server/platform/database/tables.ts';

/** What the shop owes a seller according to the ledger, in cents; negative when the seller owes the shop. */
export async function payableTo(reader: Reader, sellerId: string): Promise<number> {
  const { total } = await reader
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.sum<string | null>('amount_cents').as('total'))
    .where('account', '=', 'payable')
    .where('seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
  return 0 - Number(total ?? 0);
}
