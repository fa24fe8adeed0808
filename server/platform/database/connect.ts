import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { adaptPool, type TraceQuery } from './pool-adapter.ts';
import type { Database, Tables } from './tables.ts';

/** The connection pool, and the query builder that uses it. */
export type Connection = ReturnType<typeof connect>;

/** In milliseconds. No statement should take this long, and its client has given up by then. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** How long a query waits for its result, in milliseconds. Longer than the database's own limit, for a dead network only. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

/**
 * Creates the pool without connecting: while the database is unavailable, queries fail and the process runs on.
 * @param onError called when a connection is lost, for instance when the database restarts
 * @param options.connections the most connections
 * @param options.isPooled whether the connections lead to a pooler that gives each transaction any connection, such as
 *   PgBouncer in transaction mode. Nothing is then left on a connection: no settings, no prepared statements
 * @param options.connectTimeoutMs how long a query waits for a free or a new connection; it then fails as overload
 * @param options.queryTimeoutMs how long a query waits for its result; its connection is then closed
 * @param options.traceQuery traces each query; null for none
 */
export function connect(
  connectionString: string,
  onError: (error: Error) => void,
  {
    connections = 20,
    isPooled = false,
    connectTimeoutMs = 3_000,
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    traceQuery = null,
  }: {
    connections?: number;
    isPooled?: boolean;
    connectTimeoutMs?: number;
    queryTimeoutMs?: number;
    traceQuery?: TraceQuery | null;
  } = {},
) {
  const pool = new Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: queryTimeoutMs,
    ...(!isPooled && {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    }),
  });
  pool.on('error', onError);
  // The pool handles errors of idle connections only. An unhandled error of one in use would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const database: Database = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: adaptPool(pool, { keepsStatements: !isPooled, trace: traceQuery }),
    }),
  });
  /** Resolves when every connection is closed. */
  const close = (): Promise<void> => database.destroy();
  return { database, pool, close };
}

/**
 * Runs `work` with one connection, which may be idle for as long as it takes. Closing it releases its locks in every case; a query to
 * unlock could fail.
 * @param connectionString leads to PostgreSQL itself: locks and settings belong to the connection
 */
export async function withClient<Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  // A lost connection also fails the query under way, which reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` with a query builder of its own, for commands and for the start. */
export async function withDatabase<Result>(
  connectionString: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { database, close } = connect(connectionString, (error) => console.warn(error.message));
  try {
    return await work(database);
  } finally {
    await close();
  }
}
