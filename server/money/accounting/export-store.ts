import { sql } from 'kysely';
import { BATCH_ROWS, inBatches } from '#server/platform/database/keyset-page.ts';
import type { Database } from '#server/platform/database/tables.ts';
import type { PeriodBounds } from '../ledger/steps.ts';
import type { ExportedEntry, ExportedFee } from './export-rules.ts';

/** Microseconds since 1970 of a time: postings of one millisecond keep their order. */
const microseconds = sql<string>`(extract(epoch from posted_at) * 1000000)::bigint`;
const timeOf = (key: string) => sql<Date>`timestamptz 'epoch' + ${key}::bigint * interval '1 microsecond'`;

/** A row of a posting, after which a batch can begin. */
type Posted<Row> = Row & { at: string; number: string };

const beginningOf = ({ from }: PeriodBounds) => ({ at: String(from.getTime() * 1000), number: '0' });

/** Streams the entries of a period in batches of whole postings, oldest first. */
export const streamJournal = (database: Database, bounds: PeriodBounds): AsyncGenerator<ExportedEntry[]> =>
  inBatches<Posted<ExportedEntry>>(async (last) => {
    const after = last ?? beginningOf(bounds);
    const { rows } = await sql<Posted<ExportedEntry>>`
      with postings as (
        select id, kind, reference, posted_at, number, ${microseconds} as at
          from ledger_postings
         where posted_at >= ${timeOf(after.at)} and posted_at < ${bounds.until}
           and (posted_at, number) > (${timeOf(after.at)}, ${after.number}::bigint)
         order by posted_at, number limit ${sql.lit(BATCH_ROWS)}
      )
      select postings.number, at::text as at, kind, reference,
             to_char(posted_at at time zone ${bounds.timeZone}, 'YYYY-MM-DD') as day,
             account, amount_cents::text as amount_cents, order_id, seller_id
        from postings join ledger_entries on posting_id = postings.id
       order by posted_at, postings.number, ledger_entries.number`.execute(database);
    return rows;
  });

/** Streams the card processor's fees of a period in batches, oldest first, with what they are the fees of. */
export const streamFees = (database: Database, bounds: PeriodBounds): AsyncGenerator<ExportedFee[]> =>
  inBatches<Posted<ExportedFee>>(async (last) => {
    const after = last ?? beginningOf(bounds);
    const { rows } = await sql<Posted<ExportedFee>>`
      with fees as (
        select ledger_postings.number, posted_at, reference, amount_cents, ${microseconds} as at
          from ledger_postings join ledger_entries on posting_id = ledger_postings.id and account = 'processor_fees'
         where posted_at >= ${timeOf(after.at)} and posted_at < ${bounds.until}
           and (posted_at, ledger_postings.number) > (${timeOf(after.at)}, ${after.number}::bigint)
         order by posted_at, ledger_postings.number limit ${sql.lit(BATCH_ROWS)}
      )
      select fees.number, at::text as at, reference, fees.amount_cents::text as fee_cents,
             to_char(posted_at at time zone ${bounds.timeZone}, 'YYYY-MM-DD') as day,
             to_char(movements.created_at at time zone ${bounds.timeZone}, 'YYYY-MM-DD') as processor_day,
             coalesce(movements.category, movements.type) as category, movements.amount_cents::text as amount_cents,
             movements.transaction_id, orders.id as order_id
        from fees
        left join balance_transactions as movements on movements.id = reference
        left join orders on orders.transaction_id = movements.transaction_id
       order by posted_at, fees.number`.execute(database);
    return rows;
  });
