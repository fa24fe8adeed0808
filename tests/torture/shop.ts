import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StandIns, StartMessage } from '#sandbox/messages.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
import { type IdentityIssuer, startIdentityIssuer } from '#tests/harness/people/identity-issuer.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { payAtRelease } from './pay-at-release.ts';
import { connectOnce, forkServer, forkStandIns, killIfRunning, retryStart } from './processes.ts';

/** A service of the shop that can be killed and restarted. */
export interface KillableProcess {
  name: string;
  /** Sends SIGKILL to all its processes. */
  kill(): Promise<void>;
  /** Restarts it at the same address and waits until it is available. */
  start(): Promise<void>;
}

/** A shop whose server, database and stand-ins run in separate processes. */
export interface TortureShop {
  origin: string;
  databaseUrl: string;
  issuer: IdentityIssuer;
  cards: NonNullable<StandIns['cards']>;
  mail: NonNullable<StandIns['mail']>;
  carriers: NonNullable<StandIns['carriers']>;
  /** The lines of the server's log about calls that failed without a known reason. */
  failedCalls: readonly string[];
  server: KillableProcess;
  postgres: KillableProcess;
  cardProcessor: KillableProcess;
  mailServer: KillableProcess;
  /** Shuts PostgreSQL down. @returns starts it again */
  stopDatabase(): Promise<() => Promise<void>>;
  /** Where the server's photos are. */
  dataFolder(): string;
  /**
   * Moves the server to another data folder as an operator does: stops it, copies its files and starts it there. The copy
   * contains the id of the photo folder, so the server accepts it.
   */
  moveData(dataFolder: string): Promise<void>;
  close(): Promise<void>;
}

/** What the load and the audit need of a shop. */
export type LoadedShop = Pick<TortureShop, 'origin' | 'databaseUrl' | 'issuer' | 'cards'>;

/** Starts the shop in a temporary folder. */
export async function startTortureShop(log: (line: string) => void): Promise<TortureShop> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-torture-'));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  const port = await freePorts(6);
  const database = { folder: join(folder, 'postgres'), port: port + 1, log: () => undefined };
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(database);
  const issuer = await startIdentityIssuer();
  const origin = `http://127.0.0.1:${port}`;
  const standInOrder = (which: Partial<StartMessage['which']>): StartMessage => ({
    dataFolder: join(folder, 'sandbox'),
    host: '127.0.0.1',
    ports: { cards: port + 2, google: 0, mail: port + 3, smtp: port + 4, carriers: port + 5 },
    which: { cards: false, google: false, mail: false, carriers: false, ...which },
    webhookUrl: `${origin}/webhooks/stripe`,
    carrierWebhookUrl: `${origin}/webhooks/easypost`,
    shopOrigins: [origin],
  });
  const ofMoney = { cards: true, carriers: true };
  let cards = await forkStandIns(standInOrder(ofMoney));
  let mail = await forkStandIns(standInOrder({ mail: true }));
  const access = { ...cards.standIns, mail: mail.standIns.mail };
  if (access.cards === undefined || access.mail === undefined || access.carriers === undefined)
    throw new Error('A stand-in is missing.');
  const environment = {
    PORT: String(port),
    PUBLIC_ORIGIN: origin,
    SANDBOX: '0',
    DEMO: '0',
    RATE_LIMITS: '0',
    LOG_LEVEL: 'error',
    COOMERCIO_SECRET: 'a secret of the fault injection run',
    DATABASE_URL: postgres.connectionString,
    STRIPE_SECRET_KEY: access.cards.secretKey,
    STRIPE_PUBLISHABLE_KEY: access.cards.publishableKey,
    STRIPE_WEBHOOK_SECRET: access.cards.webhookSecret,
    STRIPE_API_URL: access.cards.apiUrl,
    STRIPE_SCRIPT_URL: access.cards.scriptUrl,
    SMTP_URL: access.mail.smtpUrl,
    EASYPOST_API_KEY: access.carriers.apiKey,
    EASYPOST_WEBHOOK_SECRET: access.carriers.webhookSecret,
    EASYPOST_API_URL: access.carriers.apiUrl,
    IDENTITY_ISSUER: issuer.issuer,
    IDENTITY_KEYS_URL: issuer.keysUrl.href,
    IDENTITY_AUDIENCE: issuer.audience,
  };
  let dataFolder = join(folder, 'data');
  const failedCalls: string[] = [];
  const startServer = () =>
    forkServer({ ...environment, COOMERCIO_DATA: dataFolder }, (line) => {
      if (line.includes('"a call failed"')) failedCalls.push(line);
    });
  let server = await startServer();
  await payAtRelease(postgres.connectionString);
  log(`The shop runs at ${origin}, in ${folder}.`);

  return {
    origin,
    databaseUrl: postgres.connectionString,
    issuer,
    cards: access.cards,
    mail: access.mail,
    carriers: access.carriers,
    failedCalls,
    server: {
      name: 'server',
      kill: () => server.kill(),
      start: async () => {
        server = await retryStart(startServer);
      },
    },
    postgres: {
      name: 'PostgreSQL',
      kill: async () => {
        for (const pid of await postgres.findProcesses()) killIfRunning(pid);
      },
      // Its supervisor restarts it.
      start: () => retryStart(() => connectOnce(postgres.connectionString)),
    },
    cardProcessor: {
      name: 'card processor',
      kill: () => cards.kill(),
      start: async () => {
        cards = await retryStart(() => forkStandIns(standInOrder(ofMoney)));
      },
    },
    mailServer: {
      name: 'mail server',
      kill: () => mail.kill(),
      start: async () => {
        mail = await retryStart(() => forkStandIns(standInOrder({ mail: true })));
      },
    },
    stopDatabase: async () => {
      await postgres.stop();
      return async () => {
        postgres = await startEmbeddedPostgres(database);
      };
    },
    dataFolder: () => dataFolder,
    moveData: async (target) => {
      await server.stop();
      await cp(dataFolder, target, { recursive: true });
      dataFolder = target;
      server = await startServer();
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
