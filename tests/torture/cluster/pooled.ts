import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { POOLED_NAME, startPgBouncer } from '#tests/harness/platform/pgbouncer.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { openAudit } from '../audit.ts';
import { createLoad } from '../load.ts';
import type { Cluster } from './cluster.ts';
import { startProbers } from './failover.ts';
import type { Finding } from './report.ts';
import { prepareShop } from './shop.ts';

const LOAD_MS = 15_000;

/** Connections of PgBouncer to the primary, which all web processes share. */
const SERVER_CONNECTIONS = 6;

/**
 * Runs two web processes on one port and a worker of its own through PgBouncer in transaction mode, under load.
 * @throws AuditError when confirmed data is missing, or a job is left undone
 */
export async function tryRolesBehindPooler(
  cluster: Cluster,
  print: (line: string) => void,
): Promise<Finding[]> {
  const primaryUrl = await cluster.createDatabase('roles');
  const pooler = await startPgBouncer(primaryUrl, { serverConnections: SERVER_CONNECTIONS });
  const [port, workerPort] = [await freePorts(1), await freePorts(1)];
  try {
    await using shop = await prepareShop({
      port,
      environment: {
        DATABASE_URL: pooler.urlOf('roles'),
        DATABASE_DIRECT_URL: primaryUrl,
        DATABASE_CONNECTIONS: '20',
      },
    });
    const worker = await shop.startServer(workerPort, { ROLE: 'worker' });
    await shop.startServer(port, { ROLE: 'web', PROCESSES: '2' });
    const audit = openAudit(shop);
    const load = await createLoad(shop, audit.stripe);
    const { writes, reads } = await startProbers(shop);
    try {
      load.start();
      await pause(LOAD_MS);
      const pooled = await countPooledConnections(primaryUrl);
      await load.stop();
      // Also waits until the worker has run all jobs.
      const { sales } = await audit.waitUntilConsistent(60_000);
      await audit.requireConfirmedData(load.acknowledged);
      await worker.stop();
      const withoutWorker = await countUnfinishedJobs(primaryUrl, async () => {
        load.start();
        await pause(5_000);
        await load.stop();
      });
      const failed = [...writes.wrong, ...reads.wrong, ...load.unexpected];
      for (const line of failed.slice(0, 10)) print(`  ${line.slice(0, 300)}`);
      return [
        {
          claim: 'Two web processes and a worker work through PgBouncer in transaction mode',
          seen: `${writes.done() + reads.done()} probes, ${sales} laptops sold, ${failed.length} wrong answers`,
          holds: failed.length === 0 && sales > 0,
        },
        {
          claim: `Their requests share at most ${SERVER_CONNECTIONS} connections of the database`,
          seen: `${pooled} used`,
          holds: pooled <= SERVER_CONNECTIONS,
        },
        {
          claim: 'Web processes leave jobs to the worker',
          seen: `${withoutWorker} jobs wait after the worker has ended`,
          holds: withoutWorker > 0,
        },
      ];
    } finally {
      await writes.stop();
      await reads.stop();
      await load.stop();
      await audit.close();
    }
  } finally {
    await pooler.stop();
  }
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Counts the connections of PgBouncer to the primary. */
async function countPooledConnections(url: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    url,
    `select count(*)::int as count from pg_stat_activity where application_name = '${POOLED_NAME}'`,
  );
  return row?.count ?? 0;
}

/** Counts the jobs that wait after some work. */
async function countUnfinishedJobs(url: string, work: () => Promise<void>): Promise<number> {
  await work();
  const [row] = await query<{ count: number }>(
    url,
    `select count(*)::int as count from pgboss.job where state < 'completed' and name not like '\\_\\_%'`,
  );
  return row?.count ?? 0;
}
