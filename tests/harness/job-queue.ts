import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import * as z from 'zod/mini';

const Waiting = z.array(z.object({ name: z.string(), state: z.string(), count: z.number() }));

/** Jobs that are not done, by name and state; those of the queue's own housekeeping aside. */
export async function unfinishedJobs(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `select name, state::text, count(*)::int from pgboss.job
     where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%'
     group by name, state`,
  );
  return z.parse(Waiting, rows).map(({ name, state, count }) => `${count} × ${name} (${state})`);
}

/** Gives the jobs that wait for another try that try now, and wakes their workers as the queue itself would. */
const hasten = `
  with hastened as (
    update pgboss.job set start_after = now() where state = 'retry' and start_after > now() returning name
  )
  select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) from hastened group by name`;

/**
 * Waits until every job is done. Jobs that wait for another try are given it at once.
 * @throws Error naming what is left after `patience` milliseconds
 */
export async function untilQueueIsEmpty(pool: Pool, patience = 20_000): Promise<void> {
  const end = Date.now() + patience;
  for (;;) {
    await pool.query(hasten);
    const left = await unfinishedJobs(pool);
    if (left.length === 0) return;
    if (Date.now() > end) throw new Error(`Jobs are left after ${patience} ms: ${left.join(', ')}`);
    await pause(20);
  }
}
