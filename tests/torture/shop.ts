import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { Order, Report, type StandIns } from '#sandbox/messages.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/database/embedded/start.ts';
import { type IdentityIssuer, startIdentityIssuer } from '#tests/harness/identity-issuer.ts';
import { freePorts } from '#tests/harness/ports.ts';

const root = join(import.meta.dirname, '../..');

/** A part of the shop that can be ended outright and started again. */
export interface KillableProcess {
  name: string;
  /** `kill -9`, to all its processes. */
  kill(): Promise<void>;
  /** Starts it again at the same address; resolves once it is there. */
  start(): Promise<void>;
}

/** A process that is forked and says when it is ready. */
interface Forked {
  kill(): Promise<void>;
  /** Ends it in good order. */
  stop(): Promise<void>;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/**
 * Starts stand-ins in a process of their own, as the shop itself would. What loads into this process has no business
 * in them: the bootstrap's watch on its pipe would take their messages.
 */
async function forkStandIns(order: Order): Promise<Forked & { standIns: StandIns }> {
  const child = fork(join(root, 'sandbox/main.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`A stand-in ended (${signal ?? code}) before it had started.`);
  });
  child.send(Order.parse(order));
  const [message] = await Promise.race([once(child, 'message'), ended]);
  // Later it ends whenever somebody kills it.
  ended.catch(() => undefined);
  const report = Report.parse(message);
  if (report.kind === 'failed') throw new Error(report.sentence);
  return {
    standIns: report.standIns,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Starts the shop's server as `npm start` does. @throws Error with what it said when it ended instead of opening */
async function forkServer(environment: Record<string, string>): Promise<Forked> {
  const child = fork(join(root, 'server/main.ts'), {
    cwd: root,
    execArgv: [],
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const opened = Promise.withResolvers<void>();
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    if (output === null) continue;
    createInterface({ input: output }).on('line', (line) => {
      if (line.startsWith('Coomercio is open at')) opened.resolve();
      said.push(line);
    });
  }
  child.once('exit', (code, signal) => {
    opened.reject(new Error(`The server ended (${signal ?? code}): ${said.slice(-5).join(' ')}`));
  });
  try {
    await opened.promise;
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
  return { kill: () => end(child, 'SIGKILL'), stop: () => end(child, 'SIGTERM') };
}

/** All that the shop stands on, each part in processes of its own. */
export interface TortureShop {
  origin: string;
  databaseUrl: string;
  issuer: IdentityIssuer;
  cards: NonNullable<StandIns['cards']>;
  mail: NonNullable<StandIns['mail']>;
  server: KillableProcess;
  postgres: KillableProcess;
  cardProcessor: KillableProcess;
  mailServer: KillableProcess;
  /** Stops PostgreSQL in good order; the answer starts it again. */
  stopDatabase(): Promise<() => Promise<void>>;
  /** A second server of the same shop that keeps its photos elsewhere. */
  startSecondServer(dataFolder: string): Promise<{ origin: string; stop(): Promise<void> }>;
  close(): Promise<void>;
}

const patience = 60_000;

/** Starts again until it works: what it needs may be coming back itself. */
async function retryStart<Started>(start: () => Promise<Started>): Promise<Started> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Starts a shop to be tortured, in a folder of its own. */
export async function startTortureShop(log: (line: string) => void): Promise<TortureShop> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-torture-'));
  // The user to whom root lends PostgreSQL has to get in.
  await chmod(folder, 0o755);
  const port = await freePorts(6);
  const database = { folder: join(folder, 'postgres'), port: port + 1, log: () => undefined };
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(database);
  const issuer = await startIdentityIssuer();
  const origin = `http://127.0.0.1:${port}`;
  const order = (which: Partial<Order['which']>): Order => ({
    dataFolder: join(folder, 'sandbox'),
    host: '127.0.0.1',
    ports: { cards: port + 2, google: 0, mail: port + 3, smtp: port + 4 },
    which: { cards: false, google: false, mail: false, ...which },
    webhookUrl: `${origin}/webhooks/stripe`,
    shopOrigins: [origin],
  });
  let cards = await forkStandIns(order({ cards: true }));
  let mail = await forkStandIns(order({ mail: true }));
  const access = { cards: cards.standIns.cards, mail: mail.standIns.mail };
  if (access.cards === undefined || access.mail === undefined) throw new Error('A stand-in is missing.');
  const environment = {
    SANDBOX: '0',
    DEMO: '0',
    RATE_LIMITS: '0',
    LOG_LEVEL: 'fatal',
    COOMERCIO_SECRET: 'a secret of nobody, for a shop that is tortured',
    DATABASE_URL: postgres.connectionString,
    STRIPE_SECRET_KEY: access.cards.secretKey,
    STRIPE_PUBLISHABLE_KEY: access.cards.publishableKey,
    STRIPE_WEBHOOK_SECRET: access.cards.webhookSecret,
    STRIPE_API_URL: access.cards.apiUrl,
    STRIPE_SCRIPT_URL: access.cards.scriptUrl,
    SMTP_URL: access.mail.smtpUrl,
    IDENTITY_ISSUER: issuer.issuer,
    IDENTITY_KEYS_URL: issuer.keysUrl.href,
    IDENTITY_AUDIENCE: issuer.audience,
  };
  const at = (where: string, on: number) => ({
    ...environment,
    PORT: String(on),
    PUBLIC_ORIGIN: `http://127.0.0.1:${on}`,
    COOMERCIO_DATA: where,
  });
  const own = at(join(folder, 'data'), port);
  let server = await forkServer(own);
  log(`The shop runs at ${origin}, in ${folder}.`);

  return {
    origin,
    databaseUrl: postgres.connectionString,
    issuer,
    cards: access.cards,
    mail: access.mail,
    server: {
      name: 'server',
      kill: () => server.kill(),
      start: async () => {
        server = await retryStart(() => forkServer(own));
      },
    },
    postgres: {
      name: 'PostgreSQL',
      kill: async () => {
        for (const pid of await postgres.findProcesses()) killIfRunning(pid);
      },
      // It comes back by itself.
      start: () => retryStart(() => connectOnce(postgres.connectionString)),
    },
    cardProcessor: {
      name: 'card processor',
      kill: () => cards.kill(),
      start: async () => {
        cards = await retryStart(() => forkStandIns(order({ cards: true })));
      },
    },
    mailServer: {
      name: 'mail server',
      kill: () => mail.kill(),
      start: async () => {
        mail = await retryStart(() => forkStandIns(order({ mail: true })));
      },
    },
    stopDatabase: async () => {
      await postgres.stop();
      return async () => {
        postgres = await startEmbeddedPostgres(database);
      };
    },
    startSecondServer: async (dataFolder) => {
      const beside = await forkServer(at(dataFolder, port + 5));
      return { origin: `http://127.0.0.1:${port + 5}`, stop: beside.stop };
    },
    close: async () => {
      await server.stop();
      await cards.stop();
      await mail.stop();
      await issuer.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @throws while there is no database to connect to */
async function connectOnce(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 });
  try {
    await client.connect();
  } catch (error) {
    await pause(100);
    throw error;
  } finally {
    await client.end();
  }
}

/** Ends one of PostgreSQL's processes, which may have followed another already. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
