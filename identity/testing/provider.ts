import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import pg from 'pg';
import * as z from 'zod/mini';
import { type IdentityOptions, identityPlugin } from '../plugin.ts';

export const SERVICE_SECRET = 'the-shop-itself-and-nobody-else';
export const PASSWORD = 'Orchid#7Lantern';

export interface RunningProvider {
  readonly url: string;
  readonly origin: string;
  readonly databaseUrl: string;
  /** Runs SQL on the provider's own tables. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  call(
    method: string,
    path: string,
    options?: { body?: unknown; token?: string; headers?: HeadersInit },
  ): Promise<Response>;
  stop(): Promise<void>;
}

const Attempt = z.object({
  attempt: z.string(),
  outcome: z.string(),
  account: z.nullable(z.string()),
  requestId: z.string(),
});

/** An app that keeps its log. */
export function createLoggingApp(): {
  app: FastifyInstance;
  lines: readonly string[];
  /** The attempts at showing who one is that were logged so far. */
  attempts(): z.infer<typeof Attempt>[];
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
        const attempt = z.safeParse(Attempt, JSON.parse(line));
        return attempt.success ? [attempt.data] : [];
      }),
  };
}

/** An empty database of one's own on the server that the tests run against. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error('TEST_DATABASE_URL names no PostgreSQL server.');
  const name = `identity_${randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

/** A provider that listens on a port of its own, on an empty database. */
export async function startProvider(
  overrides: Partial<Omit<IdentityOptions, 'databaseUrl' | 'origin'>> = {},
  port = 0,
  app: FastifyInstance = Fastify(),
): Promise<RunningProvider> {
  const database = await createDatabase();
  // The origin is part of the provider's configuration, so the port has to be known before it starts.
  const probe = Fastify();
  const origin = port === 0 ? await probe.listen({ host: '127.0.0.1', port }) : `http://127.0.0.1:${port}`;
  await probe.close();
  await app.register(
    identityPlugin({
      databaseUrl: database.url,
      origin,
      trustedOrigins: ['http://pages.example'],
      secret: 'a secret for tests that is long enough',
      serviceSecret: SERVICE_SECRET,
      ...overrides,
    }),
  );
  await app.listen({ host: '127.0.0.1', port: Number(new URL(origin).port) });
  const url = `${origin}/identity`;
  return {
    url,
    origin,
    databaseUrl: database.url,
    async sql(text, values = []) {
      // A connection for each call: a pool's would still be closing when the database is dropped.
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
      await database.drop();
    },
  };
}
