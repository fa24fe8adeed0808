import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { grantAdmin } from './accounts/steps.ts';
import { type Config, ConfigurationError, readConfig } from './config.ts';
import { connect, exclusively } from './database/connect.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { migrateToLatest } from './database/migrate.ts';
import { createLogger } from './operations/log.ts';
import type { Providers } from './providers.ts';
import { openSecrets } from './secrets.ts';
import { internalOrigin, openShop } from './shop.ts';

/** After this long a stop is forced, in milliseconds: whoever asked for it waits at most 10 s, and the grace. */
const LONGEST_STOP = 9_000;

/** What has been started, to be stopped in reverse. */
type Stop = () => Promise<void>;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Starts the stand-ins for whatever has no real provider, and answers all providers in one shape. */
async function provide(config: Config, stops: Stop[]): Promise<{ providers: Providers; notes: string[] }> {
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
    return { providers: { cards, google: real, smtpUrl: mail.url }, notes: [] };
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
  };
}

/** @param hurry cuts the grace short in which a closing shop still takes requests */
async function start(
  config: Config,
  mode: 'production' | 'development',
  stops: Stop[],
  hurry: AbortSignal,
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
  await migrateToLatest(connectionString);

  const { providers, notes } = await provide({ ...config, dataFolder }, stops);
  const shop = await openShop({
    config: { ...config, dataFolder },
    secrets,
    providers,
    connectionString,
    logger,
    pages: mode,
  });
  stops.push(() => shop.close());
  const work = await shop.startWork();
  stops.push(() => work.stop());
  await shop.app.listen({ host: config.host, port: config.port });
  stops.push(async () => {
    shop.readiness.drain();
    if (config.drainSeconds > 0) await waitAtMost(config.drainSeconds * 1000, hurry);
  });

  const filled = config.demo ? await fillEmptyShop(config, connectionString, secrets.photoKey) : [];
  say('');
  say(`Coomercio is open at ${config.origin}`);
  for (const line of [...filled, ...notes]) say(line);
}

/** Fills a shop that has nothing to sell with the demo data. @returns what the person at the terminal should know */
async function fillEmptyShop(
  config: Config,
  connectionString: string,
  photoKey: string,
): Promise<readonly string[]> {
  const { demoNotes, fillShop } = await import('#demo/fill.ts');
  const connection = connect(connectionString, (error) =>
    console.warn(`The demo data lost the database: ${error.message}`),
  );
  try {
    await exclusively(connection.pool, 'demo data', () =>
      fillShop({
        origin: internalOrigin(config),
        photoKey,
        grantAdmin: async (email) => {
          await grantAdmin(connection.database, email);
        },
        log: say,
      }),
    );
  } finally {
    await connection.close();
  }
  return demoNotes;
}

async function waitAtMost(milliseconds: number, hurry: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: hurry }).catch((error: unknown) => {
    if (!hurry.aborted) throw error;
  });
}

/** Stops everything that was started, the last first, and ends the process. @param grace milliseconds */
async function stopAll(stops: Stop[], code: number, grace = 0): Promise<never> {
  const force = setTimeout(() => {
    console.error('Stopping took too long and was forced.');
    process.exit(1);
  }, LONGEST_STOP + grace);
  force.unref();
  let failed = false;
  for (const stop of stops.splice(0).reverse()) {
    await stop().catch((error: unknown) => {
      failed = true;
      console.error(error);
    });
  }
  process.exit(failed ? 1 : code);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
  const stops: Stop[] = [];
  const hurry = new AbortController();
  let grace = 0;
  let stopping = false;
  const stop = () => {
    // Whoever asks a second time does not want to wait for the grace to pass.
    if (stopping) return hurry.abort();
    stopping = true;
    void stopAll(stops, 0, grace);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    const config = readConfig(process.env);
    grace = config.drainSeconds * 1000;
    await start(config, values.dev ? 'development' : 'production', stops, hurry.signal);
  } catch (error) {
    if (stopping) return;
    stopping = true;
    if (error instanceof ConfigurationError) for (const sentence of error.sentences) console.error(sentence);
    else console.error(error instanceof Error ? `The shop could not be opened: ${error.message}` : error);
    await stopAll(stops, 1);
  }
}

await main();
