import { escapeLiteral, type Pool } from 'pg';
import { differenceKinds } from '#contract/money/accounting.ts';
import { openComplaintStates } from '#contract/money/order-states.ts';
import type { Connection } from '#server/platform/database/connect.ts';
import { countLabels, countLateParcels } from '#server/sales/shipping/steps.ts';

/** A number of rows, with up to two labels. */
export interface LabelledCount {
  labels: Record<string, string>;
  count: number;
}

/** The figures of backups: times and ages in seconds, the size in bytes. */
type BackupFigure = 'interval' | 'usableAge' | 'verifiedAge' | 'size' | 'duration';

interface NewRows {
  label: string;
  /** Rows since the last complete count. */
  count: number;
  /** Those of them written up to `complete_until`. No open transaction can still add earlier rows. */
  complete: number;
  /** A timestamp in the format of PostgreSQL. */
  complete_until: string;
}

/** Transactions that began before this time have ended, so all rows with an earlier time are visible. */
const COMPLETE_UNTIL = `now() - interval '5 minutes'`;

/**
 * Counts the rows of an append-only table: all of them the first time, then only newer ones.
 * @param rows a query with the columns `label` and `at`, the time at which the row was written
 */
function incrementalCount(pool: Pool, rows: string): () => Promise<ReadonlyMap<string, number>> {
  const completeCounts = new Map<string, number>();
  let since = '-infinity';
  let running: Promise<ReadonlyMap<string, number>> | null = null;

  async function count(): Promise<ReadonlyMap<string, number>> {
    // A literal instead of a parameter: the generic plan would read the whole table.
    const { rows: newRows } = await pool.query<NewRows>(
      `select label, count(*)::int as count, (count(*) filter (where at <= ${COMPLETE_UNTIL}))::int as complete,
              (${COMPLETE_UNTIL})::text as complete_until
         from (${rows}) as added where at > ${escapeLiteral(since)} group by label`,
    );
    const counts = new Map(completeCounts);
    for (const { label, count: added, complete, complete_until } of newRows) {
      const known = completeCounts.get(label) ?? 0;
      counts.set(label, known + added);
      completeCounts.set(label, known + complete);
      since = complete_until;
    }
    return counts;
  }

  // Concurrent counts would add the same rows twice.
  return () => {
    running ??= count().finally(() => {
      running = null;
    });
    return running;
  };
}

const sum = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((total, count) => total + count, 0);

/**
 * Metrics from the database. A process counts each table as a whole only once: append-only rows are counted
 * incrementally, unfinished rows have a partial index, and finished rows are the difference.
 */
export function createDatabaseMetrics({ pool, database }: Connection) {
  const paid = incrementalCount(pool, `select 'paid' as label, placed_at as at from orders`);
  const refundsByReason = incrementalCount(pool, 'select reason as label, created_at as at from refunds');
  const disputes = incrementalCount(pool, `select '' as label, opened_at as at from disputes`);

  /** Counts few rows by a column. @param rows what follows `from` */
  async function countBy(column: string, rows: string): Promise<ReadonlyMap<string, number>> {
    const { rows: counted } = await pool.query<{ label: string; count: number }>(
      `select ${column} as label, count(*)::int as count from ${rows} group by ${column}`,
    );
    return new Map(counted.map(({ label, count }) => [label, count]));
  }
  /** Reads the number of rows with each of these values of a column. */
  const withEach = (column: string, values: readonly string[], rows: string) => async () => {
    const counts = await countBy(column, rows);
    return values.map((value) => ({ labels: { [column]: value }, count: counts.get(value) ?? 0 }));
  };
  async function count(rows: string): Promise<number> {
    const { rows: counted } = await pool.query<{ count: number }>(`select count(*)::int from ${rows}`);
    return counted[0]?.count ?? 0;
  }
  const numberOf = (rows: string) => async () => [{ labels: {}, count: await count(rows) }];

  return {
    payments: async (): Promise<LabelledCount[]> => [
      { labels: { outcome: 'paid', reason: '' }, count: sum(await paid()) },
      ...[...(await refundsByReason())].map(([reason, count]) => ({
        labels: { outcome: 'refunded', reason },
        count,
      })),
    ],
    refunds: async (): Promise<LabelledCount[]> => {
      // Of a failed refund that nothing explained, nothing is owed.
      const unfinished = await countBy(
        `case when state = 'failed' and reason = 'unexplained' then '' else state end`,
        `refunds where state <> 'done'`,
      );
      const done = sum(await refundsByReason()) - sum(unfinished);
      return [
        { labels: { state: 'waiting' }, count: unfinished.get('waiting') ?? 0 },
        { labels: { state: 'pending' }, count: unfinished.get('pending') ?? 0 },
        { labels: { state: 'failed' }, count: unfinished.get('failed') ?? 0 },
        { labels: { state: 'done' }, count: done },
      ];
    },
    /** Pending refunds that wait for funds in the balance at the card processor. */
    unfundedRefunds: numberOf(`refunds where state = 'pending' and unfunded_attempt = attempt`),
    /** Refused transfers of which something is still due. */
    refusedTransfers: numberOf(`transfers where state = 'refused' and is_still_due(transfers)`),
    disputes: async (): Promise<LabelledCount[]> => {
      const open = await count('disputes where closed_at is null');
      const ended = sum(await disputes()) - open;
      // Counted each time: the card processor can reinstate a lost one.
      const lostCount = await count(`disputes where state = 'lost'`);
      return [
        { labels: { state: 'open' }, count: open },
        { labels: { state: 'lost' }, count: lostCount },
        { labels: { state: 'won' }, count: ended - lostCount },
      ];
    },
    ledgerDifferences: withEach('kind', differenceKinds, 'ledger_differences where resolved_at is null'),
    complaints: withEach('state', [...openComplaintStates, 'charge_disputed'], 'orders where in_complaint'),
    lateParcels: async (): Promise<LabelledCount[]> =>
      Object.entries(await countLateParcels(database)).map(([state, count]) => ({
        labels: { state },
        count,
      })),
    /** Labels that wait for their carrier, and the claims of the desk. */
    labels: async (): Promise<LabelledCount[]> => {
      const { claims: claim, ...waiting } = await countLabels(database);
      return Object.entries({ ...waiting, claim }).map(([state, count]) => ({ labels: { state }, count }));
    },
    openAttempts: numberOf(`payment_intents where state = 'open'`),
    /** Nothing before the first backup of each kind. */
    backups: async (): Promise<Record<BackupFigure, LabelledCount[]>> => {
      const { rows } = await pool.query<Record<BackupFigure, number | null>>(
        `select every_ms::float8 / 1000 as interval,
                extract(epoch from now() - case when expected_since is not null
                                                then greatest(expected_since, last_at) end)::float8 as "usableAge",
                extract(epoch from now() - verified_at)::float8 as "verifiedAge", last_bytes::float8 as size,
                last_duration_ms::float8 / 1000 as duration
           from backup_state`,
      );
      const [row] = rows;
      const figure = (name: BackupFigure): LabelledCount[] => {
        const count = row?.[name] ?? null;
        return count === null ? [] : [{ labels: {}, count }];
      };
      return {
        interval: figure('interval'),
        usableAge: figure('usableAge'),
        verifiedAge: figure('verifiedAge'),
        size: figure('size'),
        duration: figure('duration'),
      };
    },
    /** The age of each queue's oldest job that waits, retries included, in seconds: one look into an index each. */
    oldestJobs: async (): Promise<LabelledCount[]> => {
      const { rows } = await pool.query<{ name: string; age: number | null }>(
        `select queue.name, extract(epoch from now() - oldest.created_on)::float8 as age
           from pgboss.queue left join lateral (
                  select created_on from pgboss.job
                   where job.name = queue.name and job.state < 'active' and not job.blocked
                   order by job.priority desc, job.created_on limit 1) as oldest on true`,
      );
      return rows.map(({ name, age }) => ({ labels: { job: name }, count: Math.max(0, age ?? 0) }));
    },
    serverConnections: async (): Promise<LabelledCount[]> => {
      // Not pg_stat_activity, which hides the kind of other roles' connections.
      const { rows } = await pool.query<{ used: number; limit: number }>(
        `select (select sum(numbackends) from pg_stat_database)::int as used,
                current_setting('max_connections')::int
                - current_setting('superuser_reserved_connections')::int as limit`,
      );
      return rows.flatMap((row) =>
        Object.entries(row).map(([state, count]) => ({ labels: { state }, count })),
      );
    },
    /** The queue updates these counts every 10 s. */
    jobs: async (): Promise<LabelledCount[]> => {
      const { rows } = await pool.query<{ name: string; queued: number; active: number; failed: number }>(
        'select name, queued_count as queued, active_count as active, failed_count as failed from pgboss.queue',
      );
      return rows.flatMap(({ name, ...counts }) =>
        Object.entries(counts).map(([state, count]) => ({ labels: { job: name, state }, count })),
      );
    },
  };
}
