import { sql } from 'kysely';
import { latestMigration } from '#server/platform/database/migrate.ts';
import { PROCESS_NAME } from '#server/platform/database/notification-listener.ts';
import type { Database, Reader } from '#server/platform/database/tables.ts';
import type { LedgerFigures } from './money-rules.ts';
import type { DatabaseFigures, JobFigures } from './rules.ts';

/** The longest time of a statement, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 2_000;

/** From how many attempts an item of periodic work counts as failing; it has then failed for a quarter of an hour. */
const FAILING_ATTEMPTS = 5;

/** Reads with a time limit for each statement, which also ends the statement in the database. */
const withTimeLimit = <Result>(database: Database, read: (reader: Reader) => Promise<Result>) =>
  database.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`.execute(
      transaction,
    );
    return read(transaction);
  });

/** @throws the error of an unavailable database */
export const readDatabase = (database: Database): Promise<DatabaseFigures> =>
  withTimeLimit(database, async (reader) => {
    const { rows } = await sql<Omit<DatabaseFigures, 'knownMigration'>>`
      select current_setting('server_version') as version,
             pg_database_size(current_database())::float8 as bytes,
             (select sum(numbackends)::int from pg_stat_database) as connections,
             current_setting('max_connections')::int as "maxConnections",
             (select count(*)::int from pg_stat_activity
               where datname = current_database() and application_name = ${PROCESS_NAME}) as processes,
             (select count(*)::int from kysely_migration) as migrations,
             (select max(name) from kysely_migration) as "lastMigration"`.execute(reader);
    const [row] = rows;
    if (row === undefined) throw new Error('The database answered without a row.');
    return { ...row, knownMigration: latestMigration };
  });

/** Reads the queue: its own counts, which it updates every 10 s, and the jobs that are due. */
export const readJobs = (database: Database): Promise<JobFigures> =>
  withTimeLimit(database, async (reader) => {
    const counts = await sql<{ name: string; queued: number; active: number; failed: number }>`
      select name, queued_count as queued, active_count as active, failed_count as failed from pgboss.queue
    `.execute(reader);
    const due = await sql<{ name: string; waitedMs: number | null; retried: number }>`
      select name, (extract(epoch from now() - min(start_after)) * 1000)::float8 as "waitedMs",
             (count(*) filter (where state = 'retry'))::int as retried
        from (select name, start_after, state from pgboss.job
               where state < 'active' order by start_after limit 10000) as waiting
       group by name`.execute(reader);
    const postponed = await sql<{ name: string; count: number }>`
      select queue as name, count(*)::int as count from failed_items
       where attempts >= ${FAILING_ATTEMPTS} and failed_at > now() - interval '2 hours'
       group by queue order by queue`.execute(reader);
    const retried = new Map(due.rows.map((row) => [row.name, row.retried]));
    const waits = due.rows.map(({ waitedMs }) => waitedMs ?? 0).filter((waited) => waited > 0);
    const failing = counts.rows.map(({ name, failed }) => ({
      name,
      count: failed + (retried.get(name) ?? 0),
    }));
    return {
      queued: counts.rows.reduce((total, { queued }) => total + queued, 0),
      active: counts.rows.reduce((total, { active }) => total + active, 0),
      failing: failing.filter(({ count }) => count > 0),
      failingItems: postponed.rows,
      oldestWaitMs: waits.length === 0 ? null : Math.max(...waits),
    };
  });

/** Reads from the ledger what the shop holds and owes, and what its sales have cost. */
export const readLedger = (database: Database): Promise<LedgerFigures> =>
  withTimeLimit(database, async (reader) => {
    const { rows } = await sql<LedgerFigures>`
      with sums as (
        select account, kind, cents from ledger_totals
        union all
        select account, (select kind from ledger_postings where id = posting_id), amount_cents from ledger_entries
         where ledger_entries.number > (select entry_number from ledger_totals_until))
      select coalesce(-sum(cents) filter (where account = 'held'), 0)::float8 as "heldCents",
             (select coalesce(sum(balance_cents), 0)::float8 from seller_balances where balance_cents > 0) as "dueCents",
             coalesce(-sum(cents) filter (where account = 'refunds_due'), 0)::float8 as "refundsDueCents",
             coalesce(sum(cents) filter (where account = 'disputed'), 0)::float8 as "disputedCents",
             coalesce(sum(cents) filter (where account = 'processor' and kind = 'sale'), 0)::float8
             - (select coalesce(sum(amount_cents), 0)::float8
                  from ledger_postings join ledger_entries on posting_id = ledger_postings.id
                 where kind = 'sale' and account = 'processor'
                   and posted_at > (select compared_at from balance_reading)) as "salesCents",
             coalesce(sum(cents) filter (where account = 'processor_fees' and kind = 'processor_fee'), 0)::float8
               as "feesCents"
        from sums`.execute(reader);
    const [row] = rows;
    if (row === undefined) throw new Error('The database answered without a row.');
    return row;
  });
