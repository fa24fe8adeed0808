import pg from 'pg';
import { expect } from 'vitest';
import type { SharedShop } from '../operations/shop.ts';

/** Holds a lock while `work` runs. @param statement a statement that takes the lock */
export async function whileLocked<Answer>(
  { database }: SharedShop,
  statement: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(statement);
    return await work();
  } finally {
    await client.end();
  }
}

/**
 * Counts the statements of calls that wait for a lock. The search index and the facts job read laptops as well, and
 * notifications wait for each other by a lock of an object.
 */
export async function countBlocked(pool: pg.Pool): Promise<number> {
  const query = `select count(*)::int from pg_stat_activity
                  where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'object'
                    and query not like '%read_laptops%' and query not like '%facts_version%'`;
  const { rows } = await pool.query<{ count: number }>(query);
  return rows[0]?.count ?? 0;
}

/** Waits until `count` statements of calls wait for a lock. */
export async function waitForBlocked({ connection }: SharedShop, count: number): Promise<void> {
  await expect.poll(() => countBlocked(connection.pool)).toBe(count);
}
