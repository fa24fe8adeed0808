import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migrateToLatest } from '#server/platform/database/migrate.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { loadLaptops, loadUsers } from '../../../bench/catalogue.ts';
import type { Cluster } from './cluster.ts';
import type { Finding } from './report.ts';
import { prepareShop } from './shop.ts';

/** Sent to each process, so that each compiles the same code and fills the same caches. */
const REQUESTS_PER_PROCESS = 6_000;
const CONCURRENCY = 32;

/**
 * How much more processor time a request may take than with one process. Several processes on few cores take turns in the
 * caches of the processor, which hold little of an index of 58 MB each. Work that every process repeats for the others would take
 * twice the time.
 */
const HIGHEST_RATIO = 1.5;

/** Reads that no cache answers, and one that it does. */
const paths = [
  '/api/laptops?q=latitude',
  '/laptops?brand=Dell',
  '/api/category/Dell',
  '/api/suggestions?q=lat',
];

/** Lists a process and all that it has started. */
async function withChildren(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = listed.split(' ').filter((id) => id !== '');
  return [pid, ...(await Promise.all(children.map((id) => withChildren(Number(id))))).flat()];
}

/** Sums the processor time of a process and its children, in hundredths of a second. */
async function processorTime(pid: number): Promise<number> {
  const times = await Promise.all(
    (await withChildren(pid)).map(async (id) => {
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      // After the name, which may contain spaces: user and system time are the 12th and 13th field.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

/** Sends requests on connections of their own. @returns how many failed */
async function sendRequests(origin: string, count: number): Promise<number> {
  let next = 0;
  let failed = 0;
  const send = async () => {
    while (next < count) {
      const path = paths[next % paths.length] ?? '/';
      next += 1;
      // A new connection from time to time, because the kernel distributes connections and not requests.
      const headers = next % 20 === 0 ? { connection: 'close' } : {};
      const response = await fetch(`${origin}${path}`, { headers });
      await response.arrayBuffer();
      if (!response.ok) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
  return failed;
}

async function readNumber(url: string, query: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ value: string }>(query);
  await client.end();
  return Number(rows[0]?.value);
}

const connectionsQuery =
  'select count(*) as value from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** Fills a new database with laptops for sale. @returns how many bytes of it each laptop takes, with its indexes */
async function fill(url: string, laptops: number): Promise<number> {
  await migrateToLatest(url);
  const sizeQuery = 'select pg_database_size(current_database()) as value';
  const empty = await readNumber(url, sizeQuery);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { sellerIds } = await loadUsers(client);
  await loadLaptops(client, sellerIds, { from: 1, to: laptops });
  await client.end();
  return ((await readNumber(url, sizeQuery)) - empty) / laptops;
}

/**
 * Measures what a request costs with 1, 2 and 4 web processes on one port, in processor time.
 * @param laptops how many are for sale
 */
export async function measureGrowth(
  cluster: Cluster,
  laptops: number,
  print: (line: string) => void,
): Promise<Finding[]> {
  const primaryUrl = await cluster.createDatabase('growth');
  const bytesPerLaptop = await fill(primaryUrl, laptops);
  print(`${laptops.toLocaleString('en')} laptops: ${Math.round(bytesPerLaptop)} bytes of the database each.`);
  const port = await freePorts(1);
  await using shop = await prepareShop({ port, environment: { DATABASE_URL: primaryUrl } });
  const measured: { processes: number; milliseconds: number; connections: number; failed: number }[] = [];
  for (const processes of [1, 2, 4]) {
    const server = await shop.startServer(port, { PROCESSES: String(processes) });
    const count = REQUESTS_PER_PROCESS * processes;
    await sendRequests(shop.origin, count);
    await pause(1_000);
    const before = await processorTime(server.pid);
    const failed = await sendRequests(shop.origin, count);
    const milliseconds = ((await processorTime(server.pid)) - before) * 10;
    const connections = await readNumber(primaryUrl, connectionsQuery);
    await server.stop();
    measured.push({ processes, milliseconds: milliseconds / count, connections, failed });
    print(
      `${processes} web processes: ${(milliseconds / count).toFixed(2)} ms a request, ${connections} connections`,
    );
  }
  const single = measured[0]?.milliseconds ?? Number.NaN;
  return measured.map(({ processes, milliseconds, connections, failed }) => ({
    claim: `With ${processes} web ${processes === 1 ? 'process' : 'processes'} a request costs at most ${HIGHEST_RATIO} of that with one`,
    seen: `${(milliseconds / single).toFixed(2)} (${milliseconds.toFixed(2)} ms of processor), ${connections} connections, ${failed} failed`,
    holds: milliseconds <= HIGHEST_RATIO * single && failed === 0,
  }));
}
