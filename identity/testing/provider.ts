import Fastify, { type FastifyInstance, LogController } from 'fastify';
import pg from 'pg';
import * as z from 'zod/mini';
import { createIdentityOutbox } from '#server/identity-outbox.ts';
import { listenForNotifications } from '#server/platform/database/notification-listener.ts';
import { createQueue } from '#server/platform/jobs/queue.ts';
import { createWork } from '#server/platform/jobs/work.ts';
import { createEmailSender } from '#server/providers/email.ts';
import { createTestDatabase, type DatabaseTemplate } from '#tests/harness/platform/postgres.ts';
import { type IdentityOptions, identityPlugin } from '../plugin.ts';

export const SERVICE_SECRET = 'the-shop-itself-and-nobody-else';
export const PASSWORD = 'Orchid#7Lantern';

/** An identity provider that listens on a local port. */
export interface RunningProvider {
  readonly url: string;
  readonly origin: string;
  readonly databaseUrl: string;
  /** Executes SQL in the provider's schema and returns the rows. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** Sends a request to a path below `/identity`. `body` is sent as JSON, `token` as the bearer token. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; token?: string; headers?: HeadersInit },
  ): Promise<Response>;
  stop(): Promise<void>;
}

/** A line of the sign-in log. */
const LoggedAttempt = z.object({
  attempt: z.string(),
  outcome: z.string(),
  account: z.nullable(z.string()),
  requestId: z.string(),
});

/** Creates an app that collects its log lines. */
export function createLoggingApp(): {
  app: FastifyInstance;
  lines: readonly string[];
  /** Returns the lines of the sign-in log. */
  attempts(): z.infer<typeof LoggedAttempt>[];
} {
  const lines: string[] = [];
  const app = Fastify({
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  });
  return {
    app,
    lines,
    attempts: () =>
      lines.flatMap((line) => {
        const attempt = z.safeParse(LoggedAttempt, JSON.parse(line));
        return attempt.success ? [attempt.data] : [];
      }),
  };
}

/** The mail server to which a provider sends, and the origin of the pages to which its links lead. */
interface TestMail {
  readonly smtpUrl: string;
  readonly shopOrigin?: string;
}

type TestOptions = Partial<Omit<IdentityOptions, 'databaseUrl' | 'origin' | 'mail'>> & { mail?: TestMail };

const commonOptions = {
  trustedOrigins: ['http://pages.example'],
  secret: 'a secret for tests that is long enough',
  serviceSecret: SERVICE_SECRET,
};

/** Creates an empty database on the test server. */
export const createDatabase = () => createTestDatabase({ template: 'template0' });

/** The provider's schema without accounts, with the keys of the common secret. */
const startedOnce: DatabaseTemplate = {
  name: 'identity_template',
  async fill(databaseUrl) {
    const app = Fastify();
    await app.register(identityPlugin({ ...commonOptions, databaseUrl, origin: 'http://provider.example' }));
    await app.close();
  },
};

/** The same with the tables of the queue that sends emails. */
const startedWithMail: DatabaseTemplate = {
  name: 'identity_mail_template',
  async fill(databaseUrl) {
    await startedOnce.fill(databaseUrl);
    const queue = createQueue(databaseUrl, () => undefined, { runsJobs: false });
    await queue.start([]);
    await queue.stop();
  },
};

/** What sends a provider's emails. */
function openMail(databaseUrl: string, { smtpUrl, shopOrigin }: TestMail) {
  const ignore = () => undefined;
  const notifications = listenForNotifications(databaseUrl, ignore);
  const queue = createQueue(databaseUrl, ignore, { notifications });
  const work = createWork(queue, { error: ignore, warn: ignore });
  const sender = createEmailSender({
    url: smtpUrl,
    from: 'shop@coomercio.example',
    onGivenUp: ignore,
  });
  return {
    options: {
      outbox: createIdentityOutbox(queue, work),
      send: sender.send,
      ...(shopOrigin !== undefined && { shopOrigin }),
    },
    async start(): Promise<() => Promise<void>> {
      const running = await work.start();
      return async () => {
        await running.stop();
        sender.close();
        await notifications.stop();
      };
    },
  };
}

/** Starts a provider without accounts, in a database of its own. @param port 0 for any free port */
export async function startProvider(
  { mail: testMail, ...overrides }: TestOptions = {},
  port = 0,
  app: FastifyInstance = Fastify(),
): Promise<RunningProvider> {
  // Another secret cannot open the template's keys.
  const started = testMail === undefined ? startedOnce : startedWithMail;
  const template = overrides.secret === undefined ? started : 'template0';
  const database = await createTestDatabase({ template });
  // The origin is part of the configuration, so the port must be known before the provider starts.
  const probe = Fastify();
  const origin = port === 0 ? await probe.listen({ host: '127.0.0.1', port }) : `http://127.0.0.1:${port}`;
  await probe.close();
  const mail = testMail === undefined ? null : openMail(database.url, testMail);
  await app.register(
    identityPlugin({
      ...commonOptions,
      databaseUrl: database.url,
      origin,
      ...overrides,
      ...(mail !== null && { mail: mail.options }),
    }),
  );
  const stopMail = await mail?.start();
  await app.listen({ host: '127.0.0.1', port: Number(new URL(origin).port) });
  const url = `${origin}/identity`;
  return {
    url,
    origin,
    databaseUrl: database.url,
    async sql(text, values = []) {
      // One connection for each call: those of a pool may still be open when the database is dropped.
      const client = new pg.Client({ connectionString: database.url, options: '-c search_path=identity' });
      await client.connect();
      const { rows } = await client
        .query<Record<string, unknown>>(text, [...values])
        .finally(() => client.end());
      return rows;
    },
    call(method, path, { body, token, headers = {} } = {}) {
      return fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...Object.fromEntries(new Headers(headers)),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    async stop() {
      await app.close();
      await stopMail?.();
      await database.drop();
    },
  };
}
