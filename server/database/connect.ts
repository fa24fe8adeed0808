import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { preparing } from './prepared.ts';
import type { Database, Tables } from './tables.ts';

/** The shop's connections to its database. */
export interface Connection {
  database: Database;
  pool: Pool;
  /** Resolves when every connection is closed. */
  close(): Promise<void>;
}

/**
 * Opens the pool. Nothing is connected yet: a database that is away makes calls fail, not the process.
 * @param onError told when a connection breaks, as when the database restarts
 */
export function connect(connectionString: string, onError: (error: Error) => void): Connection {
  const pool = new Pool({
    connectionString,
    max: 20,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    // A statement that takes longer than this is stuck; its caller has long gone.
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  pool.on('error', onError);
  // The pool listens only while a connection is idle; one that breaks in use would otherwise end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  return { database, pool, close: () => database.destroy() };
}

/** What is locked by who removes photos, and shared by backups, which must find every photo that their rows name. */
export const removingPhotos = 'removing photos';

/** Does something in one process at a time, whichever processes share the database. Others wait their turn. */
export async function exclusively<Answer>(
  pool: Pool,
  what: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect();
  try {
    // Waiting for another process is no stuck statement.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock(hashtext($1))', [what]);
    return await work();
  } finally {
    // Closing the connection gives the lock back, also when unlocking would fail.
    client.release(true);
  }
}
