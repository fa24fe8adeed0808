import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RefusalCode } from '#contract/refusals.ts';
import { isDatabaseUnavailable } from '../database/failures.ts';
import { createDatabaseMetrics } from './database-metrics.ts';

/** What the shop tells about itself in figures, in the text format of Prometheus. */
export interface Metrics {
  /** @param route the template, never the address: that would be a figure per address */
  requestAnswered(request: { method: string; route: string; status: number; seconds: number }): void;
  callRefused(route: string, code: RefusalCode): void;
  jobFailed(job: string): void;
  /** A round of asking the card processor about silent payments has ended. */
  reconciled(outcome: 'done' | 'failed'): void;
  /** Tells the size of the response cache from here on. */
  watchResponseCache(size: () => { entries: number; bytes: number }): void;
  /** Everything, for a scrape. Figures from the database are left out while it is away. */
  read(): Promise<{ type: string; text: string }>;
}

/** How long the figures from the database are kept, in milliseconds: scrapes of many watchers ask it once. */
const KEPT_MILLISECONDS = 5_000;

/**
 * @param pool the shop's connections, whose use is told as well
 * @param report told why a figure is missing although the database is there: once, until it could be read again
 */
export function createMetrics(pool: Pool, report: (error: unknown, figure: string) => void): Metrics {
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
    help: 'Tries of jobs that failed; a job is tried again for about a day',
    labelNames: ['job'] as const,
    registers,
  });
  const reconciliations = new Counter({
    name: 'coomercio_reconciliations_total',
    help: 'Rounds of asking the card processor about silent payments',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of ['done', 'failed'] as const) reconciliations.inc({ outcome }, 0);
  const connections = new Gauge({
    name: 'coomercio_database_connections',
    help: 'Connections of this process, and who waits for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'total' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  connections.set({ state: 'waiting' }, 0);

  const figures = createDatabaseMetrics(pool);

  /** A figure of the whole shop, the same in each of its processes. */
  function shopGauge(what: keyof typeof figures, name: string, help: string, labelNames: readonly string[]) {
    let read = 0;
    let reported = false;
    new Gauge({
      name,
      help: `${help} (of the whole shop, the same from each process)`,
      labelNames: [...labelNames],
      registers,
      async collect() {
        if (Date.now() - read < KEPT_MILLISECONDS) return;
        // An away database is told by /readyz; here it must not hide the other figures.
        const counts = await figures[what]().catch((error: unknown) => {
          if (!reported && !isDatabaseUnavailable(error)) {
            reported = true;
            report(error, name);
          }
          return null;
        });
        this.reset();
        if (counts === null) return;
        reported = false;
        read = Date.now();
        for (const { labels, count } of counts) this.set(labels, count);
      },
    });
  }
  shopGauge('payments', 'coomercio_payments', 'Money taken, by how it ended', ['outcome', 'reason']);
  shopGauge('refunds', 'coomercio_refunds', 'Refunds, by how they stand', ['state']);
  shopGauge('disputes', 'coomercio_disputes', 'Disputed payments, by how that stands', ['state']);
  shopGauge('attemptsOpen', 'coomercio_payment_attempts_open', 'Attempts at paying that have not ended', []);
  shopGauge('jobs', 'coomercio_jobs', 'Jobs waiting, under way and given up', ['job', 'state']);

  return {
    requestAnswered: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status }, seconds),
    callRefused: (route, code) => refusals.inc({ route, code }),
    jobFailed: (job) => failures.inc({ job }),
    reconciled: (outcome) => reconciliations.inc({ outcome }),
    watchResponseCache: (size) => {
      new Gauge({
        name: 'coomercio_response_cache_bytes',
        help: 'Memory taken by cached responses',
        registers,
        collect() {
          this.set(size().bytes);
        },
      });
      new Gauge({
        name: 'coomercio_response_cache_entries',
        help: 'Cached responses',
        registers,
        collect() {
          this.set(size().entries);
        },
      });
    },
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
