import { escapeLiteral, type Pool } from 'pg';

/** A count of rows with up to two labels. */
export interface Figure {
  labels: Record<string, string>;
  count: number;
}

interface Counted {
  label: string;
  /** Rows that were written since the last time, and those of them that no transaction under way can precede. */
  count: number;
  settled: number;
  /** The moment up to which `settled` counts, as PostgreSQL writes it. */
  mark: string;
}

/** A transaction that began longer ago than this has ended: its rows are there, and their times are not after it. */
const SETTLED = `now() - interval '5 minutes'`;

/**
 * Counts rows that are only ever added: once all of them, from then on only those since the last time.
 * @param rows SQL of the rows of `label` and `at`, the moment at which each was written
 */
function incrementalCount(pool: Pool, rows: string): () => Promise<ReadonlyMap<string, number>> {
  const before = new Map<string, number>();
  let since = '-infinity';
  let running: Promise<ReadonlyMap<string, number>> | null = null;

  async function count(): Promise<ReadonlyMap<string, number>> {
    // A constant of the query, not a parameter: a plan for any moment would read the whole table.
    const { rows: added } = await pool.query<Counted>(
      `select label, count(*)::int as count, (count(*) filter (where at <= ${SETTLED}))::int as settled,
              (${SETTLED})::text as mark
         from (${rows}) as added where at > ${escapeLiteral(since)} group by label`,
    );
    const counts = new Map(before);
    for (const { label, count: more, settled, mark } of added) {
      const known = before.get(label) ?? 0;
      counts.set(label, known + more);
      before.set(label, known + settled);
      since = mark;
    }
    return counts;
  }

  // Two at once would both add what is new.
  return () => {
    running ??= count().finally(() => {
      running = null;
    });
    return running;
  };
}

/** Counts few rows by their label. */
async function countByLabel(pool: Pool, text: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ label: string; count: number }>(text);
  return new Map(rows.map(({ label, count }) => [label, count]));
}

const sum = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((total, count) => total + count, 0);

/**
 * The figures that come from the database. None of them counts a whole table more than once in a process: what only
 * grows is counted on from the last time, what is unfinished has an index of its own, and the rest is the difference.
 */
export function createDatabaseMetrics(pool: Pool) {
  const paid = incrementalCount(pool, `select 'paid' as label, paid_at as at from payments`);
  const refundsByReason = incrementalCount(pool, 'select reason as label, created_at as at from refunds');
  const refunds = incrementalCount(pool, `select '' as label, created_at as at from refunds`);
  const disputes = incrementalCount(pool, `select '' as label, opened_at as at from disputes`);
  // Of the states of a dispute that has ended only this one is final and counted: the others become chargebacks.
  const lost = incrementalCount(
    pool,
    `select '' as label, closed_at as at from disputes where state = 'lost' and closed_at is not null`,
  );

  return {
    payments: async (): Promise<Figure[]> => [
      { labels: { outcome: 'paid', reason: '' }, count: sum(await paid()) },
      ...[...(await refundsByReason())].map(([reason, count]) => ({
        labels: { outcome: 'refunded', reason },
        count,
      })),
    ],
    refunds: async (): Promise<Figure[]> => {
      const unfinished = await countByLabel(
        pool,
        `select state as label, count(*)::int as count from refunds where state <> 'done' group by state`,
      );
      const done = sum(await refunds()) - sum(unfinished);
      return [
        { labels: { state: 'pending' }, count: unfinished.get('pending') ?? 0 },
        { labels: { state: 'failed' }, count: unfinished.get('failed') ?? 0 },
        { labels: { state: 'done' }, count: done },
      ];
    },
    disputes: async (): Promise<Figure[]> => {
      const open = sum(
        await countByLabel(
          pool,
          `select '' as label, count(*)::int as count from disputes where closed_at is null`,
        ),
      );
      const ended = sum(await disputes()) - open;
      const lostOnes = sum(await lost());
      return [
        { labels: { state: 'open' }, count: open },
        { labels: { state: 'lost' }, count: lostOnes },
        { labels: { state: 'won' }, count: ended - lostOnes },
      ];
    },
    attemptsOpen: async (): Promise<Figure[]> => {
      const open = await countByLabel(
        pool,
        `select '' as label, count(*)::int as count from payment_intents where state = 'open'`,
      );
      return [{ labels: {}, count: sum(open) }];
    },
    /** As the queue itself counts them every 10 s. */
    jobs: async (): Promise<Figure[]> => {
      const { rows } = await pool.query<{ name: string; queued: number; active: number; failed: number }>(
        'select name, queued_count as queued, active_count as active, failed_count as failed from pgboss.queue',
      );
      return rows.flatMap(({ name, ...counts }) =>
        Object.entries(counts).map(([state, count]) => ({ labels: { job: name, state }, count })),
      );
    },
  };
}
