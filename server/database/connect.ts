import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { withPreparedStatements } from './prepared.ts';
import type { Database, Tables } from './tables.ts';

/** The connection pool, and the query builder that uses it. */
export type Connection = ReturnType<typeof connect>;

/**
 * Creates the pool without connecting: while the database is unavailable, queries fail and the process runs on.
 * @param onError called when a connection is lost, for instance when the database restarts
 * @param options.connections the most connections
 */
export function connect(
  connectionString: string,
  onError: (error: Error) => void,
  { connections = 20 }: { connections?: number } = {},
) {
  const pool = new Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    // No statement should take this long, and its client has given up by then.
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  pool.on('error', onError);
  // The pool handles errors of idle connections only. An unhandled error of one in use would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const database: Database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
  });
  /** Resolves when every connection is closed. */
  const close = (): Promise<void> => database.destroy();
  return { database, pool, close };
}

/**
 * The advisory lock on the deletion of photos. Deleting takes it exclusively, a backup shared: it must find every photo
 * that its rows reference.
 */
export const PHOTO_DELETION_LOCK = 'removing photos';

/**
 * Runs `work` while holding an advisory lock, so that only one of the processes that share the database runs it at a
 * time. Waits until the lock is free.
 */
export async function withAdvisoryLock<Result>(
  pool: Pool,
  lockName: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    // Waiting for the lock may take longer than the pool's statement timeout.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock(hashtext($1))', [lockName]);
    return await work();
  } finally {
    // Closing the connection releases the lock in every case; a query to unlock it could fail.
    client.release(true);
  }
}
