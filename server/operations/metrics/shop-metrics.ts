import { escapeLiteral } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { differenceKinds } from '#contract/money/accounting.ts';
import { openComplaintStates } from '#contract/money/order-states.ts';
import type { Connection } from '#server/platform/database/connect.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { isDatabaseUnavailable } from '#server/platform/database/unavailable.ts';
import { countLabels, countLateParcels } from '#server/sales/shipping/steps.ts';

/** How long metrics from the database are cached, in milliseconds, for several scrapers. */
const CACHE_MS = 5_000;

/** How long a scrape waits for a metric from the database, in milliseconds. It is omitted then. */
const TIMEOUT_MS = 2_000;

class NotInTimeError extends Error {}

/** @throws NotInTimeError, and what the work throws */
export async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new NotInTimeError()), TIMEOUT_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The number `value`, and a text for each label. */
type Row = Readonly<Record<string, string | number>>;

/** A gauge of the whole shop. */
interface Figure {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Without a row the gauge has no value. Of several sources, each that can be read in time is shown. */
  rows: RowSource | readonly RowSource[];
}

/** A query for {@link Row}s, or what reads them. */
type RowSource = string | ((database: Database) => Promise<Row[]>);

/** Counts rows. @param rows what follows `from` */
const countOf = (rows: string) => `select count(*)::int as value from ${rows}`;

/** Counts the rows with each of these values of a column. @param rows what follows `from` */
const countOfEach = (column: string, values: readonly string[], rows: string) => `
  select ${column}, count(counted.${column})::int as value
    from unnest(array[${values.map(escapeLiteral).join()}]) as ${column}
    left join (select ${column} from ${rows}) as counted using (${column})
   group by ${column}`;

/** Selects a figure of backups. Before the first backup of its kind it is null. */
const ofBackups = (value: string) =>
  `select value from (select (${value})::float8 as value from backup_state) as figure where value is not null`;

const toRows = (counts: Record<string, number>): Row[] =>
  Object.entries(counts).map(([state, value]) => ({ state, value }));

const figures: readonly Figure[] = [
  {
    name: 'payments',
    help: 'Captured payments, by outcome',
    labels: ['outcome', 'reason'],
    rows: `select 'paid' as outcome, '' as reason, count(*)::int as value from orders
            union all
           select 'refunded', reason, count(*)::int from refunds group by reason`,
  },
  {
    name: 'refunds',
    help: 'Refunds, by state',
    labels: ['state'],
    // Alerts watch the unfinished ones, which have an index. Of a failed refund that nothing explained, nothing is owed.
    rows: [
      countOfEach(
        'state',
        ['waiting', 'pending', 'failed'],
        `refunds where state <> 'done' and (state <> 'failed' or reason <> 'unexplained')`,
      ),
      `select 'done' as state, count(*)::int as value from refunds where state = 'done'`,
    ],
  },
  {
    name: 'refunds_waiting_for_funds',
    help: 'Pending refunds that the balance at the card processor does not cover',
    rows: countOf(`refunds where state = 'pending' and unfunded_attempt = attempt`),
  },
  {
    name: 'transfers_refused',
    help: 'Transfers to sellers that the card processor refused and that are still due',
    rows: countOf(`transfers where state = 'refused' and is_still_due(transfers)`),
  },
  {
    name: 'disputes',
    help: 'Disputed payments, by state',
    labels: ['state'],
    rows: countOfEach(
      'state',
      ['open', 'lost', 'won'],
      `(select case when closed_at is null then 'open' when state = 'lost' then 'lost' else 'won' end as state
          from disputes) as outcomes`,
    ),
  },
  {
    name: 'ledger_differences',
    help: 'Open differences between the ledger and the card processor, by kind',
    labels: ['kind'],
    rows: countOfEach('kind', differenceKinds, 'ledger_differences where resolved_at is null'),
  },
  {
    name: 'complaints_open',
    help: 'Open complaints, by the state of their order',
    labels: ['state'],
    rows: countOfEach('state', [...openComplaintStates, 'charge_disputed'], 'orders where in_complaint'),
  },
  {
    name: 'parcels_late',
    help: 'Parcels that are not sent or have not arrived shortly before the price goes back, or arrived too late, by state',
    labels: ['state'],
    rows: async (database) => toRows(await countLateParcels(database)),
  },
  {
    name: 'labels',
    help: 'Labels that are being bought, that wait for their money back, and lost insured parcels, by state',
    labels: ['state'],
    rows: async (database) => {
      const { claims: claim, ...waiting } = await countLabels(database);
      return toRows({ ...waiting, claim });
    },
  },
  {
    name: 'payment_attempts_open',
    help: 'Open payment attempts',
    rows: countOf(`payment_intents where state = 'open'`),
  },
  {
    name: 'jobs',
    help: 'Jobs queued, active and failed',
    labels: ['job', 'state'],
    // The queue updates these counts every 10 s.
    rows: `select name as job, state, value from pgboss.queue
            cross join lateral (values ('queued', queued_count), ('active', active_count), ('failed', failed_count))
                    as counts (state, value)`,
  },
  {
    name: 'jobs_oldest_age_seconds',
    help: 'Time since the oldest job was enqueued that waits or is repeated; 0 when none waits',
    labels: ['job'],
    // One look into an index for each queue.
    rows: `select queue.name as job,
                  greatest(0, coalesce(extract(epoch from now() - oldest.created_on), 0))::float8 as value
             from pgboss.queue left join lateral (
                    select created_on from pgboss.job
                     where job.name = queue.name and job.state < 'active' and not job.blocked
                     order by job.priority desc, job.created_on limit 1) as oldest on true`,
  },
  {
    name: 'database_server_connections',
    help: 'Connections to the database server by all its clients: used, and its limit for them',
    labels: ['state'],
    // Not pg_stat_activity, which hides the kind of other roles' connections.
    rows: `select 'used' as state, sum(numbackends)::int as value from pg_stat_database
            union all
           select 'limit', current_setting('max_connections')::int
                           - current_setting('superuser_reserved_connections')::int`,
  },
  {
    name: 'backup_interval_seconds',
    help: 'Configured time between two backups; absent without periodic backups',
    rows: ofBackups('every_ms / 1000.0'),
  },
  {
    name: 'backup_usable_age_seconds',
    help: 'Age of the last usable backup, or of periodic backups before it',
    rows: ofBackups(`extract(epoch from now() - case when expected_since is not null
                                                     then greatest(expected_since, last_at) end)`),
  },
  {
    name: 'backup_verified_age_seconds',
    help: 'Age of the last backup that was verified by a restore',
    rows: ofBackups('extract(epoch from now() - verified_at)'),
  },
  { name: 'backup_size_bytes', help: 'Size of the last backup', rows: ofBackups('last_bytes') },
  {
    name: 'backup_duration_seconds',
    help: 'Time that the last backup took',
    rows: ofBackups('last_duration_ms / 1000.0'),
  },
];

/**
 * Adds the metrics of the whole shop, which are read from the database. Each process with background work reports the same.
 * @param onError called when a metric cannot be read from an available database, once until it can be read again
 */
export function addShopMetrics(
  registry: Registry,
  { pool, database }: Connection,
  onError: (error: unknown, metric: string) => void,
): void {
  for (const figure of figures) {
    const { help, labels = [], rows: sources } = figure;
    const name = `coomercio_${figure.name}`;
    const readRows = async (source: RowSource) =>
      typeof source === 'string' ? (await pool.query<Row>(source)).rows : source(database);
    let readAt = 0;
    let isReported = false;
    new Gauge({
      name,
      help: `${help} (of the whole shop, the same from each process with background work)`,
      labelNames: labels,
      registers: [registry],
      aggregator: 'first',
      async collect() {
        if (Date.now() - readAt < CACHE_MS) return;
        // coomercio_database_up reports an unavailable database. The other metrics are still served.
        const read = await Promise.all(
          [sources].flat().map((source) =>
            withinTime(readRows(source)).catch((error: unknown) => {
              if (!isReported && !isDatabaseUnavailable(error) && !(error instanceof NotInTimeError)) {
                isReported = true;
                onError(error, name);
              }
              return null;
            }),
          ),
        );
        this.reset();
        // The library resets a metric without labels to 0, which would be a value.
        if (labels.length === 0) this.remove();
        for (const row of read.flat()) {
          if (row === null) continue;
          const { value, ...values } = row;
          this.set(values, Number(value));
        }
        if (read.includes(null)) return;
        isReported = false;
        readAt = Date.now();
      },
    });
  }
}
