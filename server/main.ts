import { once } from 'node:events';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findActiveEmails, grantAdmin } from './accounts/steps.ts';
import { type Config, ConfigurationError, readConfig } from './config.ts';
import { connect, withAdvisoryLock } from './database/connect.ts';
import { startEmbeddedPostgres } from './database/embedded/start.ts';
import { migrateToLatest } from './database/migrate.ts';
import { createLogger } from './operations/log.ts';
import type { Providers } from './providers.ts';
import { openSecrets } from './secrets.ts';
import { internalOrigin, openShop } from './shop.ts';

/** After this long a stop is forced, in milliseconds: whoever asked for it waits at most 10 s, and the grace. */
const STOP_TIMEOUT_MS = 9_000;

/** What has been started, to be stopped in reverse. */
type Stop = () => Promise<void>;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Starts the stand-ins for whatever has no real provider, and answers all providers in one shape. */
async function provide(
  config: Config,
  stops: Stop[],
): Promise<{ providers: Providers; notes: string[]; inboxUrl: string | null }> {
  const { cards, google, mail, sandboxPort } = config;
  const real =
    google.kind === 'google'
      ? {
          clientId: google.clientId,
          clientSecret: google.clientSecret,
          ...(google.issuer !== null && { issuer: google.issuer }),
        }
      : null;
  if (cards.kind === 'stripe' && mail.kind === 'smtp' && google.kind !== 'sandbox') {
    return { providers: { cards, google: real, smtpUrl: mail.url }, notes: [], inboxUrl: null };
  }

  const { notesOf, startSandbox } = await import('#sandbox/start.ts');
  const at = (offset: number) => (sandboxPort === 0 ? 0 : sandboxPort + offset);
  const sandbox = await startSandbox({
    dataFolder: join(config.dataFolder, 'sandbox'),
    host: '127.0.0.1',
    ports: { cards: at(0), google: at(1), mail: at(2), smtp: at(3) },
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
      google: google.kind === 'sandbox' ? (sandbox.google ?? null) : real,
      smtpUrl,
    },
    notes: notesOf(sandbox),
    inboxUrl: sandbox.mail?.inboxUrl ?? null,
  };
}

/** What whoever stops the shop asks for. */
interface Wishes {
  /** To end it, also while it starts. */
  readonly halt: AbortSignal;
  /** To cut the grace short in which a closing shop still takes requests. */
  readonly hurry: AbortSignal;
}

/** @throws the reason of `halt`, between two steps, so that each that was begun is among the `stops` */
async function start(
  config: Config,
  mode: 'production' | 'development',
  stops: Stop[],
  { halt, hurry }: Wishes,
): Promise<void> {
  await mkdir(config.dataFolder, { recursive: true });
  const dataFolder = await realpath(config.dataFolder);
  const secrets = await openSecrets(config.secret, dataFolder, config.previousSecret);
  const logger = createLogger(config.logLevel);

  let connectionString = config.databaseUrl;
  if (connectionString === null) {
    const postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), log: say });
    stops.push(() => postgres.stop());
    connectionString = postgres.connectionString;
  }
  halt.throwIfAborted();
  await migrateToLatest(connectionString);

  if (!config.standIns) await rejectDemoAccounts(connectionString);

  halt.throwIfAborted();
  const { providers, notes, inboxUrl } = await provide({ ...config, dataFolder }, stops);
  halt.throwIfAborted();
  const shop = await openShop({
    config: { ...config, dataFolder },
    secrets,
    providers,
    connectionString,
    logger,
    pages: mode,
  });
  stops.push(() => shop.close());
  halt.throwIfAborted();
  await shop.startWork();
  halt.throwIfAborted();
  await shop.app.listen({ host: config.host, port: config.port });
  stops.push(async () => {
    shop.readiness.drain();
    if (config.drainSeconds > 0) await waitAtMost(config.drainSeconds * 1000, hurry);
  });

  const filled = config.demo
    ? await fillEmptyShop(config, { connectionString, photoKey: secrets.photoKey, inboxUrl }, halt)
    : [];
  halt.throwIfAborted();
  say('');
  say(`Coomercio is open at ${config.origin}`);
  for (const line of [...filled, ...notes]) say(line);
}

/**
 * Refuses a database that was filled with the demo data while the shop was tried out: everybody knows the password of
 * its admin.
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

/**
 * Fills a shop that has nothing to sell with the demo data.
 * @returns what the person at the terminal should know
 * @throws the reason of `halt` once no step of the filling is under way any more
 */
async function fillEmptyShop(
  config: Config,
  {
    connectionString,
    photoKey,
    inboxUrl,
  }: { connectionString: string; photoKey: string; inboxUrl: string | null },
  halt: AbortSignal,
): Promise<readonly string[]> {
  const { demoNotes, fillShop } = await import('#demo/fill.ts');
  halt.throwIfAborted();
  const connection = connect(connectionString, (error) => {
    if (!halt.aborted) console.warn(`The demo data lost the database: ${error.message}`);
  });
  const halted = Promise.withResolvers<never>();
  halt.addEventListener('abort', () => halted.reject(halt.reason), { once: true });
  let filling: Promise<void> | undefined;
  const fill = () => {
    filling = fillShop({
      origin: internalOrigin(config),
      photoKey,
      ...(inboxUrl !== null && { inboxUrl }),
      grantAdmin: async (email) => {
        await grantAdmin(connection.database, email);
      },
      log: say,
      halt,
    });
    return filling;
  };
  try {
    // Another process may be filling the same shop; nobody who wants to stop has to wait for that one.
    await Promise.race([withAdvisoryLock(connection.pool, 'demo data', fill), halted.promise]);
  } finally {
    await Promise.allSettled([filling]);
    // Closing would wait for the other process as well; the end of this one closes it.
    if (!halt.aborted) await connection.close();
  }
  return demoNotes;
}

async function waitAtMost(milliseconds: number, hurry: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: hurry }).catch((error: unknown) => {
    if (!hurry.aborted) throw error;
  });
}

/** Stops everything that was started, the last first, and ends the process. */
async function stopAll(stops: Stop[], code: number): Promise<never> {
  let failed = false;
  for (const stop of stops.splice(0).reverse()) {
    await stop().catch((error: unknown) => {
      failed = true;
      console.error(error);
    });
  }
  process.exit(failed ? 1 : code);
}

/** Ends the process without waiting any more, unless it has ended within {@link STOP_TIMEOUT_MS}. @param grace milliseconds */
function forceAfter(grace: number): void {
  const force = setTimeout(() => {
    console.error('Stopping took too long and was forced.');
    process.exit(1);
  }, STOP_TIMEOUT_MS + grace);
  force.unref();
}

function complain(error: unknown): void {
  if (error instanceof ConfigurationError) for (const sentence of error.sentences) console.error(sentence);
  else console.error(error instanceof Error ? `The shop could not be opened: ${error.message}` : error);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
  const stops: Stop[] = [];
  const halt = new AbortController();
  const hurry = new AbortController();
  let grace = 0;
  const stop = () => {
    // Whoever asks a second time does not want to wait for the grace to pass.
    if (halt.signal.aborted) return hurry.abort();
    forceAfter(grace);
    halt.abort();
  };
  // The last is a terminal that was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  try {
    const config = readConfig(process.env);
    grace = config.drainSeconds * 1000;
    await start(config, values.dev ? 'development' : 'production', stops, {
      halt: halt.signal,
      hurry: hurry.signal,
    });
    if (!halt.signal.aborted) await once(halt.signal, 'abort');
  } catch (error) {
    if (error !== halt.signal.reason) {
      complain(error);
      if (!halt.signal.aborted) forceAfter(0);
      await stopAll(stops, 1);
    }
  }
  await stopAll(stops, 0);
}

await main();
