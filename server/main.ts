import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { findFolderProblem, recordFolder } from './listings/photos/own-folder.ts';
import { type Config, ConfigurationError, openConfig } from './operations/configuration/config.ts';
import { type Foundation, photoFolder } from './operations/configuration/providers.ts';
import { findClaimLink } from './operations/first-steps/actions.ts';
import { createLogger } from './operations/log/log.ts';
import {
  embeddedConnections,
  warnAboutConnections,
  warnAboutPooler,
} from './operations/processes/connection-count.ts';
import { superviseProcesses } from './operations/processes/supervise.ts';
import { fillEmptyShop, rejectDemoAccounts } from './operations/trial/demo-data.ts';
import { startStandIns } from './operations/trial/fake-providers.ts';
import { withDatabase } from './platform/database/connect.ts';
import { startEmbeddedPostgres } from './platform/database/embedded/start.ts';
import { migrateToLatest, requireLatestSchema } from './platform/database/migrate.ts';
import { isRefusedByPooler } from './platform/database/unavailable.ts';
import { operatorCommand } from './platform/operator-command.ts';
import { openSecrets, type Secrets } from './platform/secrets.ts';
import {
  forceExitAfter,
  handleShutdownSignals,
  type ShutdownSignals,
  type Stop,
  stopAll,
  waitForDrain,
} from './platform/shutdown.ts';
import type { Tracing } from './platform/tracing/start.ts';
import { openShop } from './shop.ts';

type Mode = 'production' | 'development';

/** The environment variable in which the supervisor passes the foundation to its processes, as JSON. */
const FOUNDATION = 'COOMERCIO_FOUNDATION';

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Starts to record traces when a collector is configured. Without one, none of OpenTelemetry's code is loaded. */
async function startTracing({ tracing, trustProxy }: Config, logger: Logger): Promise<Tracing | null> {
  if (tracing === null) return null;
  const module = await import('./platform/tracing/start.ts');
  return module.startTracing({
    sampling: tracing,
    continuesTraces: trustProxy > 0,
    onError: (error) => logger.warn({ err: error }, 'traces could not be sent'),
  });
}

/** Opens the shop in this process. Adds how to stop it to `stops`. */
async function openHere(
  config: Config,
  { databaseUrl, directUrl, providers }: Foundation,
  {
    secrets,
    mode,
    stops,
    signals,
  }: { secrets: Secrets; mode: Mode; stops: Stop[]; signals: ShutdownSignals },
): Promise<void> {
  const { shutdown, skipDrain } = signals;
  const logger = createLogger(config.logLevel);
  const tracing = await startTracing(config, logger);
  if (tracing !== null) stops.push(() => tracing.stop());
  const shop = await openShop({
    config,
    secrets,
    providers,
    databaseUrl,
    directUrl,
    logger,
    tracing,
    pages: config.role === 'worker' ? null : mode,
  });
  stops.push(() => shop.close());
  shutdown.throwIfAborted();
  await shop.startWork();
  shutdown.throwIfAborted();
  await shop.app.listen({ host: config.host, port: config.port });
  stops.push(async () => {
    shop.readiness.drain();
    if (config.drainSeconds > 0) await waitForDrain(config.drainSeconds * 1000, skipDrain);
  });
}

/** Opens the shop in several processes. One of them does the background work, unless the role is `web`. */
async function openProcesses(
  config: Config,
  foundation: Foundation,
  stops: Stop[],
  shutdown: AbortSignal,
): Promise<void> {
  const environments = Array.from({ length: config.processes }, (_, index) => ({
    [FOUNDATION]: JSON.stringify(foundation),
    ROLE: index === 0 ? config.role : 'web',
    PROCESSES: '1',
  }));
  const processes = await superviseProcesses(environments, printLine, shutdown);
  stops.push(() => processes.stop());
}

/**
 * Starts all components. Each one adds how to stop it to `stops`, also when a later one fails.
 * @throws the reason of `shutdown` between two steps
 */
async function start(
  config: Config,
  mode: Mode,
  secrets: Secrets,
  stops: Stop[],
  signals: ShutdownSignals,
): Promise<void> {
  const { shutdown } = signals;
  let { databaseUrl } = config;
  if (databaseUrl === null) {
    const postgres = await startEmbeddedPostgres({
      folder: join(config.dataFolder, 'postgres'),
      settings: { max_connections: String(embeddedConnections(config)) },
      log: printLine,
    });
    stops.push(() => postgres.stop());
    databaseUrl = postgres.connectionString;
  }
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  shutdown.throwIfAborted();
  if (config.migrate) await migrateToLatest(directUrl, printLine);
  else await requireLatestSchema(directUrl);
  await warnAboutConnections(config, directUrl, (sentence) => console.warn(sentence));

  if (databaseUrl !== directUrl) await warnAboutPooler(databaseUrl, (sentence) => console.warn(sentence));

  if (!config.standIns) await rejectDemoAccounts(directUrl);
  await requireOwnPhotoFolder(config, directUrl, findFolderProblem);

  shutdown.throwIfAborted();
  const { providers, notes, inboxUrl } = await startStandIns(config, stops);
  shutdown.throwIfAborted();
  const foundation = { databaseUrl, directUrl, providers };
  if (config.processes > 1) await openProcesses(config, foundation, stops, shutdown);
  else await openHere(config, foundation, { secrets, mode, stops, signals });
  await requireOwnPhotoFolder(config, directUrl, recordFolder);

  const demoLines =
    config.demo && config.role !== 'worker'
      ? await fillEmptyShop(
          config,
          { directUrl, photoKey: secrets.photoKey, inboxUrl, log: printLine },
          shutdown,
        )
      : [];
  shutdown.throwIfAborted();
  printLine('');
  if (config.role === 'worker') printLine('Coomercio works in the background.');
  else printLine(`Coomercio is open at ${config.origin}`);
  if (config.role !== 'worker') {
    for (const line of await describeClaim(directUrl, config.origin, secrets.ownership)) printLine(line);
  }
  for (const line of [...demoLines, ...notes]) printLine(line);
}

/** How to become the first admin; nothing when there is one. */
async function describeClaim(directUrl: string, origin: string, key: Uint8Array): Promise<string[]> {
  const link = await withDatabase(directUrl, (database) => findClaimLink(database, { origin, key }));
  return link === null
    ? []
    : ['Nobody administers this shop yet. Open this link, sign in and confirm to become its owner:', link];
}

/**
 * @param compare findFolderProblem, or recordFolder when the shop is open
 * @throws ConfigurationError when the photos of this shop are in another folder
 */
async function requireOwnPhotoFolder(
  config: Config,
  directUrl: string,
  compare: typeof recordFolder,
): Promise<void> {
  if (config.photos.kind !== 'disk') return;
  const folder = photoFolder(config.dataFolder);
  const problem = await withDatabase(directUrl, (database) => compare(database, folder));
  if (problem !== null) throw new ConfigurationError([problem]);
}

function printStartError(error: unknown): void {
  if (error instanceof ConfigurationError) for (const sentence of error.sentences) console.error(sentence);
  else console.error(error instanceof Error ? `The shop could not be opened: ${error.message}` : error);
  if (isRefusedByPooler(error)) {
    console.error(
      'The database is behind a pooler. Set DATABASE_DIRECT_URL to an address of PostgreSQL itself, for notifications, locks and migrations.',
    );
  }
}

/** Parses the command line. @returns null when it is not a valid one */
function readMode(): Mode | null {
  try {
    const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
    return values.dev ? 'development' : 'production';
  } catch (error) {
    // Thrown by parseArgs for an unknown option or a positional argument.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function main(mode: Mode): Promise<void> {
  const stops: Stop[] = [];
  let drainMs = 0;
  const signals = handleShutdownSignals(() => drainMs, stops);
  const { shutdown } = signals;
  try {
    const config = await openConfig(process.env);
    drainMs = config.drainSeconds * 1000;
    const secrets = await openSecrets(config.secret, config.dataFolder, config.previousSecret);
    if (cluster.isWorker) {
      const foundation: Foundation = JSON.parse(process.env[FOUNDATION] ?? '');
      await openHere(config, foundation, { secrets, mode, stops, signals });
    } else {
      await start(config, mode, secrets, stops, signals);
    }
    if (!shutdown.aborted) await once(shutdown, 'abort');
  } catch (error) {
    if (error !== shutdown.reason) {
      printStartError(error);
      if (!shutdown.aborted) forceExitAfter(0, stops);
      await stopAll(stops, 1);
    }
  }
  await stopAll(stops, 0);
}

const mode = readMode();
if (mode === null) {
  console.error(
    `Usage: ${operatorCommand('start')}, without arguments. Its settings are environment variables.`,
  );
  process.exitCode = 2;
} else {
  await main(mode);
}
