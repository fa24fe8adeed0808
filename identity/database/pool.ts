import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';

/** A statement that takes longer than this, in milliseconds, is stuck; its caller has long gone. */
const STUCK = 15_000;

/** A pool of connections whose search_path is the provider's own schema. */
function openPool(databaseUrl: string, log: FastifyBaseLogger, settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: '-c search_path=identity',
    connectionTimeoutMillis: 5_000,
    ...settings,
  });
  const noteBreak = (error: Error) =>
    log.warn({ err: error }, 'A database connection of the identity provider broke');
  pool.on('error', noteBreak);
  // The pool listens only while a connection is idle; one that breaks between two statements of a transaction
  // would otherwise end the whole process.
  pool.on('connect', (client) => client.on('error', noteBreak));
  return pool;
}

/** The provider's connections. Nothing is connected yet. */
export function connect(databaseUrl: string, log: FastifyBaseLogger): pg.Pool {
  return openPool(databaseUrl, log, {
    max: 8,
    statement_timeout: STUCK,
    idle_in_transaction_session_timeout: STUCK,
  });
}

/**
 * Does something with connections on which a statement may take its time: a new index over many rows is no stuck
 * statement, nor is waiting for another process that makes one.
 */
export async function unhurried(
  databaseUrl: string,
  log: FastifyBaseLogger,
  work: (pool: pg.Pool) => Promise<void>,
): Promise<void> {
  const pool = openPool(databaseUrl, log, { max: 3 });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}
