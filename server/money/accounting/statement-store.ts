import { sql } from 'kysely';
import { BATCH_ROWS, inBatches } from '#server/platform/database/keyset-page.ts';
import type { Database, Reader } from '#server/platform/database/tables.ts';
import type { PeriodBounds } from '../ledger/steps.ts';
import type { StatementRow } from './rules.ts';

/** What the shop owed a seller at a time, in cents; negative when the seller owed the shop. */
export async function payableAt(reader: Reader, sellerId: string, at: Date): Promise<number> {
  const { total } = await reader
    .selectFrom('ledger_entries')
    .innerJoin('ledger_postings', 'ledger_postings.id', 'ledger_entries.posting_id')
    .select(({ fn }) => fn.sum<string | null>('amount_cents').as('total'))
    .where('account', '=', 'payable')
    .where('seller_id', '=', sellerId)
    .where('posted_at', '<', at)
    .executeTakeFirstOrThrow();
  return 0 - Number(total ?? 0);
}

/** Streams the changes of what the shop owes a seller in batches, oldest first. */
export const streamStatement = (
  database: Database,
  sellerId: string,
  { from, until, timeZone }: PeriodBounds,
): AsyncGenerator<StatementRow[]> =>
  inBatches<StatementRow>(async (last) => {
    const { rows } = await sql<StatementRow>`
      select ledger_entries.number, kind, posted_at, to_char(posted_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, order_id, laptops.name as laptop_name, amount_cents
        from ledger_entries
        join ledger_postings on ledger_postings.id = posting_id
        left join orders on orders.id = order_id
        left join laptops on laptops.id = orders.laptop_id
       where account = 'payable' and ledger_entries.seller_id = ${sellerId}
         and posted_at >= ${from} and posted_at < ${until} and ledger_entries.number > ${last?.number ?? '0'}
       order by ledger_entries.number limit ${sql.lit(BATCH_ROWS)}`.execute(database);
    return rows;
  });
