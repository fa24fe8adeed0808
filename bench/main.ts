import { deepStrictEqual } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createTokens } from '#server/people/accounts/tokens.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { startBootstrappedShop } from '#tests/harness/operations/bootstrapped-shop.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { runWithCleanup } from '#tests/harness/platform/run-with-cleanup.ts';
import { record, startBareBytes, startBareQuery } from './bare.ts';
import { listPath, loadLaptops, loadUsers, readCatalogue } from './catalogue.ts';
import { startLoadGenerator } from './load.ts';
import { measure, residentMemory, SETTLED_MS } from './measure.ts';
import { describeMachine, type Findings, floorsTable, loadNote, loadTable } from './report.ts';
import { measureSearchIndex } from './search-index.ts';
import { formatTable } from './table.ts';
import { browserHeaders, createTargets } from './targets.ts';

/** The bench gives up after this long, in milliseconds. With 10,000 laptops it needs some minutes of a quiet machine. */
const RUN_TIMEOUT_MS = 60 * 60_000;
/** The numbers of laptops with which `--index` measures the search index alone. */
const INDEX_SIZES = [10_000, 1_000_000];

/** The number of requests after which the shop surely keeps a response, compressed. */
const REQUESTS_UNTIL_KEPT = 3;

/** Writes a line about the progress; the tables go to the standard output. */
const logLine = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Creates a folder that is removed with `cleanup`. */
async function temporaryFolder(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-bench-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  return folder;
}

/** Requires that both servers return the same JSON, so that their speeds are comparable. */
async function requireSameResponse(shop: string, bare: string, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all([record(shop, path), record(bare, path)]);
  const parsed = [theirs, ours].map(({ body }): unknown => JSON.parse(body.toString()));
  deepStrictEqual(parsed[0], parsed[1]);
}

/** Waits until the search answers, which it does when its index is loaded. */
async function waitForSearch(origin: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/api/laptops?limit=1`);
    await response.arrayBuffer();
    if (response.ok) return;
    await pause(20);
  }
}

async function run(
  cleanup: AsyncDisposableStack,
  { seconds, laptops }: { seconds: number; laptops: number },
): Promise<Findings> {
  const folder = await temporaryFolder(cleanup);
  const secret = randomBytes(24).toString('hex');
  const options = { port: await freeShopPort(), dataFolder: join(folder, 'data'), secret };

  logLine('Starting the shop for the first time …');
  await (await startBootstrappedShop(options)).stop();
  const postgres = await startEmbeddedPostgres({
    folder: join(options.dataFolder, 'postgres'),
    log: () => undefined,
  });
  cleanup.defer(() => postgres.stop());
  const { connectionString } = postgres;
  const client = new Client({ connectionString });
  await client.connect();
  cleanup.defer(() => client.end());
  const load = startLoadGenerator(cleanup);

  const { sellerIds, buyerIds } = await loadUsers(client);
  logLine(`Loading ${laptops.toLocaleString('en-US')} laptops …`);
  await loadLaptops(client, sellerIds, { from: 1, to: laptops });
  const catalogue = await readCatalogue(client);

  const shop = await startBootstrappedShop(options);
  cleanup.defer(shop.stop);
  await waitForSearch(shop.origin);

  const paths = { list: listPath('HP'), home: '/' };
  for (let request = 0; request < REQUESTS_UNTIL_KEPT; request += 1) {
    await record(shop.origin, paths.home, browserHeaders);
  }
  const responses = [
    await record(shop.origin, paths.list),
    await record(shop.origin, paths.home, browserHeaders),
  ];
  const { pid } = process;
  const servers = {
    shop,
    bareBytes: { pid, origin: await startBareBytes(cleanup, responses) },
    bareQuery: {
      pid,
      origin: await startBareQuery(cleanup, { connectionString, photoOrigin: shop.origin }),
    },
  };
  for (const path of [paths.list, catalogue.pages.at(-1) ?? paths.list]) {
    await requireSameResponse(shop.origin, servers.bareQuery.origin, path);
  }

  const { tokens } = await openSecrets(secret, folder);
  const buyerTokens = await Promise.all(buyerIds.map((id) => createTokens(tokens).sign(id)));
  const targets = createTargets(servers, paths, catalogue, buyerTokens);
  const { bookings, ...reading } = targets;
  logLine('Measuring …');
  const results = await measure(load, Object.values(reading), seconds);
  await pause(SETTLED_MS);
  const memory = residentMemory(shop.pid);
  // They come last: they change what is read, and send emails.
  for (const [target, result] of await measure(load, [bookings], seconds)) results.set(target, result);
  return { targets, results, startSeconds: shop.startSeconds, memory };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '2' },
      laptops: { type: 'string', default: '10000' },
      index: { type: 'boolean', default: false },
    },
  });
  const print = (parts: readonly string[]) => process.stdout.write(`\n${parts.join('\n\n')}\n`);
  if (values.index) {
    print(INDEX_SIZES.map((laptops) => formatTable(measureSearchIndex(laptops))));
    return;
  }
  const seconds = Number(values.seconds);
  await runWithCleanup({ timeoutMs: RUN_TIMEOUT_MS, name: 'The bench' }, async (cleanup) => {
    const findings = await run(cleanup, { seconds, laptops: Number(values.laptops) });
    print([
      describeMachine(),
      formatTable(loadTable(findings)),
      formatTable(floorsTable(findings)),
      loadNote(seconds),
    ]);
  });
}

await main();
