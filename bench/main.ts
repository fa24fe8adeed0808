import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Client } from 'pg';
import { createTokens } from '#server/people/accounts/tokens.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { startBootstrappedShop } from '#tests/harness/operations/bootstrapped-shop.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { runWithCleanup } from '#tests/harness/platform/run-with-cleanup.ts';
import { auditPages } from './audit-pages.ts';
import { categoryPath, loadLaptops, loadUsers, readCatalogue } from './catalogue.ts';
import { type Child, startChild } from './child.ts';
import { loadConversations } from './conversations.ts';
import { measureFirstRenderings } from './first-renderings.ts';
import { measureLiveStreams, type StreamFigures } from './live-streams.ts';
import { logLine } from './log-line.ts';
import { measure, parentOf, type Result, residentMemory, SETTLED_MS, type Target } from './measure.ts';
import { type BareBytesTask, type BareQueryTask, Listening, LoadResult, type LoadTask } from './messages.ts';
import { measureFirstVisit } from './page-quality.ts';
import { followNextLinks, record, recordKept } from './recorded-response.ts';
import {
  describeMachine,
  type Findings,
  figuresTable,
  loadNote,
  loadTable,
  pagesNote,
  pagesTable,
} from './report.ts';
import { measureChange, waitForSearch } from './search-delays.ts';
import { measureSearchIndex } from './search-index.ts';
import { markdownTable, plainTable } from './table.ts';
import { browserHeaders, categoryTarget, compressedPath, createTargets } from './targets.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROUNDS = 3;
/** Number of pages of 100 laptops before the deep page. */
const DEEP_PAGE = 30;
/** The laptops with which the category is measured first, when there are more. */
const REFERENCE_LAPTOPS = 10_000;
/** The bench gives up after this long, in milliseconds. With 10,000 laptops it needs 8 minutes of a quiet machine. */
const RUN_TIMEOUT_MS = 60 * 60_000;
/** The numbers of laptops with which `--index` measures the search index alone. */
const INDEX_SIZES = [10_000, 1_000_000];

const programs = {
  bareBytes: new URL('./bare-bytes.ts', import.meta.url),
  bareQuery: new URL('./bare-query.ts', import.meta.url),
  load: new URL('./load.ts', import.meta.url),
};

/** Requires that both servers return the same JSON, so that their speeds are comparable. */
async function requireSameResponse(
  shop: string,
  bare: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const [ours, theirs] = await Promise.all([record(shop, path, headers), record(bare, path, headers)]);
  const parsed = [ours, theirs].map(({ response }): unknown =>
    JSON.parse(Buffer.from(response.body).toString()),
  );
  if (!isDeepStrictEqual(parsed[0], parsed[1])) throw new Error(`${path} has different responses.`);
}

/** Measures the category's pages of a shop with few laptops, to compare with those of many. */
async function measureReference(
  load: Child<LoadTask, LoadResult>,
  {
    options,
    client,
    buyerIds,
    seconds,
    postmaster,
  }: {
    options: Parameters<typeof startBootstrappedShop>[0];
    client: Client;
    buyerIds: string[];
    seconds: number;
    postmaster: number;
  },
): Promise<Result | null> {
  const { pages } = await readCatalogue(client, buyerIds);
  const shop = await startBootstrappedShop(options);
  try {
    const target = categoryTarget(shop, pages);
    const results = await measure(load, [target], { rounds: ROUNDS, seconds, postmaster });
    return results.get(target) ?? null;
  } finally {
    await shop.stop();
  }
}

/** Measures the streams of events of a shop that did nothing before. */
async function measureStreamsOfFreshShop(
  options: Parameters<typeof startBootstrappedShop>[0],
  client: Client,
  tokens: readonly string[],
): Promise<StreamFigures> {
  const inspectorPort = await freePorts(1);
  const shop = await startBootstrappedShop({ ...options, inspectorPort });
  try {
    return await measureLiveStreams({ ...shop, inspectorPort }, client, tokens);
  } finally {
    await shop.stop();
  }
}

async function run(
  cleanup: AsyncDisposableStack,
  { seconds, laptops }: { seconds: number; laptops: number },
): Promise<Findings & { machine: string }> {
  const folder = await temporaryFolder(cleanup);
  const secret = randomBytes(24).toString('hex');
  const options = { port: await freePorts(5), dataFolder: join(folder, 'data'), secret };

  logLine('Starting the shop for the first time …');
  const fresh = await startBootstrappedShop(options);
  await fresh.stop();
  const postgres = await startEmbeddedPostgres({
    folder: join(options.dataFolder, 'postgres'),
    log: () => undefined,
  });
  cleanup.defer(() => postgres.stop());
  const { connectionString } = postgres;
  const client = new Client({ connectionString });
  await client.connect();
  cleanup.defer(() => client.end());
  const backend = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(backend.rows[0]?.pid ?? 0);
  const load = cleanup.use(startChild<LoadTask, LoadResult>(programs.load, LoadResult));

  const { sellerIds, buyerIds } = await loadUsers(client);
  const first = Math.min(laptops, REFERENCE_LAPTOPS);
  logLine(`Loading ${first.toLocaleString('en-US')} laptops …`);
  await loadLaptops(client, sellerIds, { from: 1, to: first });
  let reference: Result | null = null;
  if (laptops > first) {
    logLine('Measuring the category with them …');
    reference = await measureReference(load, { options, client, buyerIds, seconds, postmaster });
    logLine(`Loading ${laptops.toLocaleString('en-US')} laptops …`);
    await loadLaptops(client, sellerIds, { from: first + 1, to: laptops });
  }
  const conversations = await loadConversations(client, buyerIds);
  const catalogue = await readCatalogue(client, buyerIds);

  const tokens = createTokens((await openSecrets(secret, folder)).tokens);
  const tokenOf = new Map(
    await Promise.all(buyerIds.map(async (id) => [id, await tokens.sign(id)] as const)),
  );
  const buyerTokens = [...tokenOf.values()];
  logLine('Opening streams of events …');
  const streams = await measureStreamsOfFreshShop(options, client, buyerTokens);

  const starting = performance.now();
  const shop = await startBootstrappedShop(options);
  cleanup.defer(shop.stop);
  await waitForSearch(shop.origin);
  const searchSeconds = (performance.now() - starting) / 1000;
  const started = residentMemory(shop.pid).now;

  const firstPath = categoryPath('HP');
  const deepStart = await followNextLinks(shop.origin, firstPath.replace('limit=24', 'limit=100'), DEEP_PAGE);
  const paths = {
    firstPage: firstPath,
    deepPage: deepStart.replace('limit=100', 'limit=24'),
    brands: '/api/brands',
    home: '/',
    blog: '/blog',
    laptop: catalogue.laptopPages.at(-1) ?? '/',
    search: '/laptops?brand=HP',
  };
  const firstPage = await record(shop.origin, paths.firstPage);
  const brands = await record(shop.origin, paths.brands);
  const kept = [
    await recordKept(shop.origin, paths.firstPage, browserHeaders, compressedPath(paths.firstPage)),
  ];
  for (const path of [paths.home, paths.blog, paths.laptop, paths.search]) {
    kept.push(await recordKept(shop.origin, path, browserHeaders));
  }

  const bareBytes = cleanup.use(startChild<BareBytesTask, Listening>(programs.bareBytes, Listening));
  const bareQuery = cleanup.use(startChild<BareQueryTask, Listening>(programs.bareQuery, Listening));
  const servers = {
    shop,
    bareBytes: {
      pid: bareBytes.pid,
      ...(await bareBytes.run({ responses: [firstPage, brands, ...kept].map(({ response }) => response) })),
    },
    bareQuery: {
      pid: bareQuery.pid,
      ...(await bareQuery.run({ connectionString, photoOrigin: shop.origin })),
    },
  };
  for (const path of [paths.firstPage, paths.deepPage]) {
    await requireSameResponse(shop.origin, servers.bareQuery.origin, path);
  }
  const messagePages = {
    paths: conversations.map(({ path }) => path),
    tokens: conversations.map(({ buyerId }) => tokenOf.get(buyerId) ?? ''),
  };
  const [messagesPath = '', buyerToken = ''] = [messagePages.paths[0], messagePages.tokens[0]];
  const authorization = `Bearer ${buyerToken}`;
  await requireSameResponse(shop.origin, servers.bareQuery.origin, messagesPath, { authorization });

  const targets = createTargets(
    servers,
    paths,
    firstPage.etag,
    catalogue,
    { buyerTokens, messagePages },
    client,
  );
  const { bookings, changing, ...reading } = targets;
  const measureAll = (some: readonly Target[]) =>
    measure(load, some, { rounds: ROUNDS, seconds, postmaster });
  logLine('Measuring …');
  // Targets with side effects come last: they change the first page and send emails.
  const results = new Map([...(await measureAll(Object.values(reading))), ...(await measureAll([changing]))]);
  const renderings = await measureFirstRenderings(shop, client, {
    brand: 'HP',
    laptops: catalogue.laptopPages.toReversed(),
  });
  const changeSeconds = await measureChange(client, shop.origin);
  await pause(SETTLED_MS);
  const { now: loaded } = residentMemory(shop.pid);
  for (const [target, result] of await measureAll([bookings])) results.set(target, result);
  await pause(SETTLED_MS);
  const { now: booked, highest } = residentMemory(shop.pid);

  logLine('Visiting the home page …');
  const transfer = await measureFirstVisit(`${shop.origin}/`);
  const { rows } = await client.query<{ version: string }>("select split_part(version(), ' ', 2) as version");
  return {
    laptops,
    targets,
    results,
    reference,
    renderings,
    starts: { first: fresh.startSeconds, again: shop.startSeconds, search: searchSeconds },
    changeSeconds,
    streams,
    memory: { started, loaded, booked, highest },
    home: transfer,
    machine: describeMachine(rows[0]?.version ?? ''),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      markdown: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '2' },
      laptops: { type: 'string', default: '10000' },
      pages: { type: 'boolean', default: false },
      load: { type: 'boolean', default: false },
      index: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  const laptops = Number(values.laptops);
  if (values.index) {
    const tables = INDEX_SIZES.map((laptops) =>
      (values.markdown ? markdownTable : plainTable)(measureSearchIndex(laptops)),
    );
    process.stdout.write(`\n${tables.join('\n\n')}\n`);
    return;
  }
  await runWithCleanup({ timeoutMs: RUN_TIMEOUT_MS, name: 'The bench' }, async (cleanup) => {
    const format = values.markdown ? markdownTable : plainTable;
    // Printed at once, because the audits of pages take minutes and depend on a browser.
    const print = (parts: readonly string[]) => process.stdout.write(`\n${parts.join('\n\n')}\n`);
    if (!values.pages) {
      const findings = await run(cleanup, { seconds, laptops });
      print([
        findings.machine,
        format(loadTable(findings)),
        format(figuresTable(findings)),
        loadNote(ROUNDS, seconds),
      ]);
    }
    if (!values.load) print([format(pagesTable(await auditPages(cleanup))), pagesNote()]);
  });
}

await main();
