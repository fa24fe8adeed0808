import type { Client } from 'pg';
import { withClient } from './connect.ts';

/**
 * The advisory lock on the deletion of photos. Deleting takes it exclusively, a backup shared: it must find every photo
 * that its rows reference.
 */
export const PHOTO_DELETION_LOCK = 'removing photos';

/** Runs `work` with a connection that waits idly while it holds a lock. */
const withIdleClient = <Result>(connectionString: string, work: (client: Client) => Promise<Result>) =>
  withClient(connectionString, async (client) => {
    await client.query('set idle_session_timeout = 0');
    return work(client);
  });

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
  return withIdleClient(connectionString, async (client) => {
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
  return withIdleClient(connectionString, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as locked',
      [lockName],
    );
    return rows[0]?.locked === true ? work() : null;
  });
}
