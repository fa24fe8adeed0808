import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { isDatabaseUnavailable } from '../refusals.ts';

/** In milliseconds. PostgreSQL cancels a statement that takes longer. Its caller has timed out by then. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** How long a query waits for its result, in milliseconds. Longer than the database's own limit, for a dead network only. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** The most connections that the provider opens while it runs. */
export const IDENTITY_CONNECTIONS = 8;

/** Key of the advisory lock under which one process at a time migrates the schema. Any fixed number will do. */
const MIGRATION_LOCK = 7_301_118;

/** Creates a pool of connections whose search_path is the schema `identity`. */
function openPool(databaseUrl: string, log: FastifyBaseLogger, settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: '-c search_path=identity',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...settings,
  });
  const logConnectionError = (error: Error) =>
    log.warn({ err: error }, 'A database connection of the identity provider failed');
  pool.on('error', logConnectionError);
  // pg.Pool handles errors of idle connections only. Without this listener, a connection that fails between two
  // statements of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', logConnectionError));
  return pool;
}

/**
 * Creates the provider's connection pool. It connects at the first query.
 * @param options.queryTimeoutMs how long a query waits for its result; its connection is then closed
 */
export function createPool(
  databaseUrl: string,
  log: FastifyBaseLogger,
  { queryTimeoutMs = QUERY_TIMEOUT_MS }: { queryTimeoutMs?: number } = {},
): pg.Pool {
  return openPool(databaseUrl, log, {
    max: IDENTITY_CONNECTIONS,
    query_timeout: queryTimeoutMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
}

/**
 * Runs `work` while no other process migrates. Its pool has no statement timeout: a
 * migration may build an index over many rows, or wait for the migration of another process.
 */
export async function withMigrationPool(
  databaseUrl: string,
  log: FastifyBaseLogger,
  work: (pool: pg.Pool) => Promise<void>,
): Promise<void> {
  const pool = openPool(databaseUrl, log, { max: 3 });
  try {
    const client = await pool.connect();
    try {
      // Held until the pool closes the connection.
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await work(pool);
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
}

/** Runs `work` in one transaction and rolls back if it throws. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let isUsable = true;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // Closing the connection ends the transaction. A query could wait for as long again.
    if (isDatabaseUnavailable(error)) isUsable = false;
    else await client.query('rollback');
    throw error;
  } finally {
    client.release(!isUsable);
  }
}
