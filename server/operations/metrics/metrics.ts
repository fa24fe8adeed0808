import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RefusalCode } from '#contract/platform/refusals.ts';
import type { SearchIndexFigures } from '#server/listings/search/rules.ts';
import type { Connection } from '#server/platform/database/connect.ts';
import { readDiskSpace } from '#server/platform/disk-space.ts';
import { addShopMetrics, withinTime } from './shop-metrics.ts';

/** The metrics of the shop, in the text format of Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics.
 * @param connection to the database; its connections are counted as well
 * @param onError called when a metric cannot be read from an available database, once until it can be read again
 * @param options.ofWholeShop whether this process also reports the shop's counts, each of which costs a query
 * @param options.share connects this process's metrics to those of the others on this machine, and returns what reads all
 */
export function createMetrics(
  connection: Connection,
  onError: (error: unknown, metric: string) => void,
  {
    ofWholeShop = true,
    share,
  }: { ofWholeShop?: boolean; share?: (registry: Registry) => () => Promise<string> } = {},
) {
  const { pool } = connection;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const registers = [registry];
  const requests = new Histogram({
    name: 'coomercio_request_duration_seconds',
    help: 'Answered requests by route template and status, in-process calls of the pages included',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const refusals = new Counter({
    name: 'coomercio_refusals_total',
    help: 'Refused calls by route template and code; of the payment calls these are the refused payments',
    labelNames: ['route', 'code'] as const,
    registers,
  });
  const failures = new Counter({
    name: 'coomercio_job_failures_total',
    help: 'Failed runs of jobs; a job is retried for about a day',
    labelNames: ['job'] as const,
    registers,
  });
  const reconciliations = new Counter({
    name: 'coomercio_reconciliations_total',
    help: 'Reconciliations of payments with the card processor',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of ['done', 'failed'] as const) reconciliations.inc({ outcome }, 0);
  const matchingRounds = new Counter({
    name: 'coomercio_saved_search_rounds_total',
    help: 'Rounds in which changed laptops were matched against saved searches and due emails were enqueued',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of ['done', 'failed'] as const) matchingRounds.inc({ outcome }, 0);
  const matched = new Counter({
    name: 'coomercio_saved_search_matched_total',
    help: 'Laptops matched against saved searches, alerts found, emails enqueued',
    labelNames: ['kind'] as const,
    registers,
  });
  const connections = new Gauge({
    name: 'coomercio_database_connections',
    help: 'Connections of this process, and requests that wait for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'total' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  connections.set({ state: 'waiting' }, 0);

  /** Adds a gauge. @param aggregator of the values of several processes on one machine */
  const gauge = (
    name: string,
    help: string,
    value: () => number,
    aggregator: 'sum' | 'min' | 'max' = 'sum',
  ) =>
    new Gauge({
      name: `coomercio_${name}`,
      help,
      registers,
      aggregator,
      collect() {
        this.set(value());
      },
    });

  let searchIndex: SearchIndexFigures | null = null;
  new Gauge({
    name: 'coomercio_database_up',
    help: 'Whether the database answers this process within 2 s: 1 or 0',
    registers,
    aggregator: 'min',
    async collect() {
      const isUp = await withinTime(pool.query('select')).then(
        () => true,
        () => false,
      );
      this.set(Number(isUp));
    },
  });
  if (ofWholeShop) addShopMetrics(registry, connection, onError);
  const read = share?.(registry) ?? (() => registry.metrics());
  /** What concurrent scrapes share. */
  let reading: Promise<string> | null = null;

  return {
    /** @param labels.route the route template; a URL would create one time series per URL */
    recordRequest: (labels: { method: string; route: string; status: number }, seconds: number) =>
      requests.observe(labels, seconds),
    recordRefusal: (route: string, code: RefusalCode) => refusals.inc({ route, code }),
    recordJobFailure: (job: string) => failures.inc({ job }),
    /** Records the end of one reconciliation with the card processor. */
    recordReconciliation: (outcome: 'done' | 'failed') => reconciliations.inc({ outcome }),
    /** Records the end of one round of matching; `counts` are null when it failed. */
    recordMatching: (counts: Record<'laptops' | 'alerts' | 'emails', number> | null) => {
      matchingRounds.inc({ outcome: counts === null ? 'failed' : 'done' });
      for (const [kind, count] of Object.entries(counts ?? {})) matched.inc({ kind }, count);
    },
    /** Adds gauges for the size of the response cache. */
    watchResponseCache: (size: () => { entries: number; bytes: number }): void => {
      gauge('response_cache_bytes', 'Memory used by cached responses', () => size().bytes);
      gauge('response_cache_entries', 'Cached responses', () => size().entries);
    },
    /** Adds a gauge for the open streams of server-sent events. */
    watchLiveStreams: (count: () => number): void => {
      gauge('live_streams', 'Open streams that tell people of changes', count);
    },
    /** Adds gauges for the disk on which a folder is. They are absent while it cannot be read. */
    watchDisk: (folder: string): void => {
      for (const [figure, help, aggregator] of [
        ['free', 'Free bytes of the disk with the data folder', 'min'],
        ['size', 'Size of the disk with the data folder, in bytes', 'max'],
      ] as const) {
        new Gauge({
          name: `coomercio_disk_${figure}_bytes`,
          help,
          registers,
          aggregator,
          async collect() {
            this.remove();
            const disk = await readDiskSpace(folder).catch(() => null);
            if (disk !== null) this.set(figure === 'free' ? disk.freeBytes : disk.totalBytes);
          },
        });
      }
    },
    /** Adds gauges for the search index. */
    watchSearchIndex: (figures: SearchIndexFigures): void => {
      searchIndex = figures;
      const isReady = () => Number(figures.isLoaded());
      gauge('search_index_ready', 'Whether the search index has been loaded: 1 or 0', isReady, 'min');
      gauge('search_index_laptops', 'Laptops in the search index', figures.count, 'max');
      gauge('search_index_bytes', 'Memory used by the search index', figures.size);
      const age = () => figures.ageMs() / 1000;
      gauge('search_index_age_seconds', 'Time since the search index was equal to the database', age, 'max');
      const loading = () => figures.loadMs() / 1000;
      gauge('search_index_load_seconds', 'Time until the search index was loaded', loading, 'max');
      gauge('search_index_waiting', 'Searches that wait for their turn', figures.waiting);
    },
    /** The figures of the search index; null in a process without one. */
    searchIndex: () => searchIndex,
    /**
     * Serializes all metrics. Those from the database are omitted while it is unavailable.
     * @throws Error when another process of this machine does not report its own in time
     */
    serialize: async () => {
      reading ??= read().finally(() => {
        reading = null;
      });
      return { type: registry.contentType, text: await reading };
    },
  };
}
