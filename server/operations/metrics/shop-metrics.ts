import { Gauge, type Registry } from 'prom-client';
import type { Connection } from '#server/platform/database/connect.ts';
import { isDatabaseUnavailable } from '#server/platform/database/failures.ts';
import { createDatabaseMetrics, type LabelledCount } from './database-metrics.ts';

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

/**
 * Adds the metrics of the whole shop, which are read from the database. Each process with background work reports the same.
 * @param onError called when a metric cannot be read from an available database, once until it can be read again
 */
export function addShopMetrics(
  registry: Registry,
  connection: Connection,
  onError: (error: unknown, metric: string) => void,
): void {
  const read = createDatabaseMetrics(connection);

  function shopGauge(
    readCounts: () => Promise<readonly LabelledCount[]>,
    name: string,
    help: string,
    labelNames: readonly string[] = [],
  ) {
    let readAt = 0;
    let isReported = false;
    new Gauge({
      name,
      help: `${help} (of the whole shop, the same from each process with background work)`,
      labelNames: [...labelNames],
      registers: [registry],
      aggregator: 'first',
      async collect() {
        if (Date.now() - readAt < CACHE_MS) return;
        // coomercio_database_up reports an unavailable database. The other metrics are still served.
        const counts = await withinTime(readCounts()).catch((error: unknown) => {
          if (!isReported && !isDatabaseUnavailable(error) && !(error instanceof NotInTimeError)) {
            isReported = true;
            onError(error, name);
          }
          return null;
        });
        this.reset();
        // The library resets a metric without labels to 0, which would be a value.
        if (labelNames.length === 0) this.remove();
        if (counts === null) return;
        isReported = false;
        readAt = Date.now();
        for (const { labels, count } of counts) this.set(labels, count);
      },
    });
  }

  shopGauge(read.payments, 'coomercio_payments', 'Captured payments, by outcome', ['outcome', 'reason']);
  shopGauge(read.refunds, 'coomercio_refunds', 'Refunds, by state', ['state']);
  shopGauge(
    read.unfundedRefunds,
    'coomercio_refunds_waiting_for_funds',
    'Pending refunds that the balance at the card processor does not cover',
  );
  shopGauge(
    read.refusedTransfers,
    'coomercio_transfers_refused',
    'Transfers to sellers that the card processor refused and that are still due',
  );
  shopGauge(read.disputes, 'coomercio_disputes', 'Disputed payments, by state', ['state']);
  shopGauge(
    read.ledgerDifferences,
    'coomercio_ledger_differences',
    'Open differences between the ledger and the card processor, by kind',
    ['kind'],
  );
  shopGauge(read.complaints, 'coomercio_complaints_open', 'Open complaints, by the state of their order', [
    'state',
  ]);
  shopGauge(
    read.lateParcels,
    'coomercio_parcels_late',
    'Parcels that are not sent or have not arrived shortly before the price goes back, or arrived too late, by state',
    ['state'],
  );
  shopGauge(
    read.labels,
    'coomercio_labels',
    'Labels that are being bought, that wait for their money back, and lost insured parcels, by state',
    ['state'],
  );
  shopGauge(read.openAttempts, 'coomercio_payment_attempts_open', 'Open payment attempts');
  shopGauge(read.jobs, 'coomercio_jobs', 'Jobs queued, active and failed', ['job', 'state']);
  shopGauge(
    read.oldestJobs,
    'coomercio_jobs_oldest_age_seconds',
    'Time since the oldest job was enqueued that waits or is repeated; 0 when none waits',
    ['job'],
  );
  shopGauge(
    read.serverConnections,
    'coomercio_database_server_connections',
    'Connections to the database server by all its clients: used, and its limit for them',
    ['state'],
  );

  for (const [figure, name, help] of [
    ['interval', 'interval_seconds', 'Configured time between two backups; absent without periodic backups'],
    ['usableAge', 'usable_age_seconds', 'Age of the last usable backup, or of periodic backups before it'],
    ['verifiedAge', 'verified_age_seconds', 'Age of the last backup that was verified by a restore'],
    ['size', 'size_bytes', 'Size of the last backup'],
    ['duration', 'duration_seconds', 'Time that the last backup took'],
  ] as const) {
    const readFigure = async () => (await read.backups())[figure];
    shopGauge(readFigure, `coomercio_backup_${name}`, help);
  }
}
