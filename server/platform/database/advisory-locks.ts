import { Client } from 'pg';

/**
 * The advisory lock on the deletion of photos. Deleting takes it exclusively, a backup shared: it must find every photo
 * that its rows reference.
 */
export const PHOTO_DELETION_LOCK = 'removing photos';

const CONNECT_TIMEOUT_MS = 5_000;

/** Calls `work` with a connection of its own. Closing it releases its locks in every case; a query to unlock could fail. */
async function withConnection<Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A lost connection also fails the query under way, which reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The connection is idle for as long as the work takes, and the lock must not end before it.
    await client.query('set idle_session_timeout = 0');
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Runs `work` while holding an advisory lock, so that only one of the processes that share the database runs it at a
 * time. Waits until the lock is free.
 * @param connectionString leads to PostgreSQL itself: the lock belongs to the connection
 */
export function withAdvisoryLock<Result>(
  connectionString: string,
  lockName: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return withConnection(connectionString, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [lockName]);
    return work();
  });
}

/**
 * Runs `work` while holding an advisory lock, unless another process holds it.
 * @param connectionString leads to PostgreSQL itself: the lock belongs to the connection
 * @returns the result of `work`; null when another process holds the lock
 */
export function tryAdvisoryLock<Result>(
  connectionString: string,
  lockName: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  return withConnection(connectionString, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as locked',
      [lockName],
    );
    return rows[0]?.locked === true ? work() : null;
  });
}
