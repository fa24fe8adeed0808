import { once } from 'node:events';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findActiveEmails, grantAdmin } from './accounts/steps.ts';
import { type Config, ConfigurationError, internalOrigin, readConfig } from './config.ts';
import { connect, withAdvisoryLock } from './database/connect.ts';
import { startEmbeddedPostgres } from './database/embedded/start.ts';
import { migrateToLatest } from './database/migrate.ts';
import { createLogger } from './operations/log.ts';
import { findFolderProblem } from './photos/own-folder.ts';
import { type Providers, photoFolder } from './providers.ts';
import { openSecrets } from './secrets.ts';
import { openShop } from './shop.ts';
import {
  forceExitAfter,
  handleShutdownSignals,
  type ShutdownSignals,
  type Stop,
  stopAll,
  waitForDrain,
} from './shutdown.ts';

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Starts stand-ins for the providers that are not configured.
 * @returns all providers, the lines to print about the stand-ins, and the URL of the mail catcher's inbox
 */
async function startProviders(
  config: Config,
  stops: Stop[],
): Promise<{ providers: Providers; notes: string[]; inboxUrl: string | null }> {
  const { cards, google, mail, sandboxPort } = config;
  const configuredGoogle = google.kind === 'google' ? google : null;
  if (cards.kind === 'stripe' && mail.kind === 'smtp' && google.kind !== 'sandbox') {
    return { providers: { cards, google: configuredGoogle, smtpUrl: mail.url }, notes: [], inboxUrl: null };
  }

  const { describeStandIns, startSandbox } = await import('#sandbox/start.ts');
  const portAt = (offset: number) => (sandboxPort === 0 ? 0 : sandboxPort + offset);
  const sandbox = await startSandbox({
    dataFolder: join(config.dataFolder, 'sandbox'),
    host: '127.0.0.1',
    ports: { cards: portAt(0), google: portAt(1), mail: portAt(2), smtp: portAt(3) },
    which: {
      cards: cards.kind === 'sandbox',
      google: google.kind === 'sandbox',
      mail: mail.kind === 'sandbox',
    },
    webhookUrl: `${internalOrigin(config)}/webhooks/stripe`,
    shopOrigins: [config.origin, ...config.otherOrigins],
    log: (message) => console.warn(message),
  });
  stops.push(() => sandbox.stop());
  const cardsAccess = cards.kind === 'stripe' ? cards : sandbox.cards;
  const smtpUrl = mail.kind === 'smtp' ? mail.url : sandbox.mail?.smtpUrl;
  if (cardsAccess === undefined || smtpUrl === undefined) throw new Error('The stand-ins did not start.');
  return {
    providers: {
      cards: {
        ...cardsAccess,
        apiUrl: typeof cardsAccess.apiUrl === 'string' ? new URL(cardsAccess.apiUrl) : cardsAccess.apiUrl,
      },
      google: google.kind === 'sandbox' ? (sandbox.google ?? null) : configuredGoogle,
      smtpUrl,
    },
    notes: describeStandIns(sandbox),
    inboxUrl: sandbox.mail?.inboxUrl ?? null,
  };
}

/**
 * Starts all components. Each one adds how to stop it to `stops`, also when a later one fails.
 * @throws the reason of `shutdown` between two steps
 */
async function start(
  config: Config,
  mode: 'production' | 'development',
  stops: Stop[],
  { shutdown, skipDrain }: ShutdownSignals,
): Promise<void> {
  await mkdir(config.dataFolder, { recursive: true });
  const dataFolder = await realpath(config.dataFolder);
  const secrets = await openSecrets(config.secret, dataFolder, config.previousSecret);
  const logger = createLogger(config.logLevel);

  let connectionString = config.databaseUrl;
  if (connectionString === null) {
    const postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), log: printLine });
    stops.push(() => postgres.stop());
    connectionString = postgres.connectionString;
  }
  shutdown.throwIfAborted();
  await migrateToLatest(connectionString);

  if (!config.standIns) await rejectDemoAccounts(connectionString);
  if (config.photos.kind === 'disk') await requireOwnPhotoFolder(connectionString, dataFolder);

  shutdown.throwIfAborted();
  const { providers, notes, inboxUrl } = await startProviders({ ...config, dataFolder }, stops);
  shutdown.throwIfAborted();
  const shop = await openShop({
    config: { ...config, dataFolder },
    secrets,
    providers,
    connectionString,
    logger,
    pages: mode,
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

  const demoLines = config.demo
    ? await fillEmptyShop(config, { connectionString, photoKey: secrets.photoKey, inboxUrl }, shutdown)
    : [];
  shutdown.throwIfAborted();
  printLine('');
  printLine(`Coomercio is open at ${config.origin}`);
  for (const line of [...demoLines, ...notes]) printLine(line);
}

/**
 * Rejects a database that contains demo accounts: the password of the demo admin is published.
 * @throws ConfigurationError
 */
async function rejectDemoAccounts(connectionString: string): Promise<void> {
  const { demoAccounts } = await import('#demo/accounts.ts');
  const connection = connect(connectionString, (error) => console.warn(error.message));
  try {
    const emails = demoAccounts.map(({ email }) => email);
    const present = await findActiveEmails(connection.database, emails);
    if (present.length === 0) return;
    throw new ConfigurationError([
      `This database has demo accounts, whose password is published: ${present.join(', ')}. Use an empty database (another DATABASE_URL or COOMERCIO_DATA), or set SANDBOX=1 if this is a demonstration.`,
    ]);
  } finally {
    await connection.close();
  }
}

/** @throws ConfigurationError when the photos of this shop are in another folder */
async function requireOwnPhotoFolder(connectionString: string, dataFolder: string): Promise<void> {
  const connection = connect(connectionString, (error) => console.warn(error.message));
  try {
    const problem = await findFolderProblem(connection.database, photoFolder(dataFolder));
    if (problem !== null) throw new ConfigurationError([problem]);
  } finally {
    await connection.close();
  }
}

/**
 * Adds the demo data if the shop has no laptops.
 * @returns the lines to print
 * @throws the reason of `shutdown`, after the running step has ended
 */
async function fillEmptyShop(
  config: Config,
  {
    connectionString,
    photoKey,
    inboxUrl,
  }: { connectionString: string; photoKey: string; inboxUrl: string | null },
  shutdown: AbortSignal,
): Promise<readonly string[]> {
  const { demoAccountLines, fillShop } = await import('#demo/fill.ts');
  shutdown.throwIfAborted();
  const connection = connect(connectionString, (error) => {
    if (!shutdown.aborted)
      console.warn(`The database connection broke while demo data was added: ${error.message}`);
  });
  const stopped = Promise.withResolvers<never>();
  shutdown.addEventListener('abort', () => stopped.reject(shutdown.reason), { once: true });
  let filling: Promise<void> | undefined;
  const fill = () => {
    filling = fillShop({
      origin: internalOrigin(config),
      photoKey,
      ...(inboxUrl !== null && { inboxUrl }),
      grantAdmin: async (email) => {
        await grantAdmin(connection.database, email);
      },
      log: printLine,
      signal: shutdown,
    });
    return filling;
  };
  try {
    // Another process may hold the lock; a shutdown must not wait for it.
    await Promise.race([withAdvisoryLock(connection.pool, 'demo data', fill), stopped.promise]);
  } finally {
    await Promise.allSettled([filling]);
    // Closing would also wait for that lock. On shutdown the exit of this process closes the connection.
    if (!shutdown.aborted) await connection.close();
  }
  return demoAccountLines;
}

function printStartError(error: unknown): void {
  if (error instanceof ConfigurationError) for (const sentence of error.sentences) console.error(sentence);
  else console.error(error instanceof Error ? `The shop could not be opened: ${error.message}` : error);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
  const stops: Stop[] = [];
  let drainMs = 0;
  const signals = handleShutdownSignals(() => drainMs);
  const { shutdown } = signals;
  try {
    const config = readConfig(process.env);
    drainMs = config.drainSeconds * 1000;
    await start(config, values.dev ? 'development' : 'production', stops, signals);
    if (!shutdown.aborted) await once(shutdown, 'abort');
  } catch (error) {
    if (error !== shutdown.reason) {
      printStartError(error);
      if (!shutdown.aborted) forceExitAfter(0);
      await stopAll(stops, 1);
    }
  }
  await stopAll(stops, 0);
}

await main();
