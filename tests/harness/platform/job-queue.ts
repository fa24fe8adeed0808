import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import * as z from 'zod/mini';

const JobCounts = z.array(z.object({ name: z.string(), state: z.string(), count: z.number() }));

/** Counts the jobs that are not done, by name and state, without pg-boss's own maintenance jobs. */
export async function listUnfinishedJobs(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query({
    name: 'unfinished jobs',
    text: `select coalesce(data->>'type', name) as name, state::text, count(*)::int from pgboss.job
     where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%'
     group by 1, state`,
  });
  return z.parse(JobCounts, rows).map(({ name, state, count }) => `${count} × ${name} (${state})`);
}

/** Makes jobs that wait for a retry due now, and wakes their workers as pg-boss does for a new job. */
const retryJobsNow = `
  with due as (
    update pgboss.job set start_after = now() where state = 'retry' and start_after > now() returning name
  )
  select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) from due group by name`;

/**
 * Waits until every job is done. Jobs that wait for a retry are retried at once.
 * @throws Error that names the jobs left after `timeoutMs` milliseconds
 */
export async function waitForEmptyQueue(pool: Pool, timeoutMs = 100_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const left = await listUnfinishedJobs(pool);
    if (left.length === 0) return;
    if (left.some((jobs) => jobs.endsWith('(retry)'))) await pool.query(retryJobsNow);
    if (Date.now() > end) throw new Error(`Jobs are left after ${timeoutMs} ms: ${left.join(', ')}`);
    await pause(20);
  }
}
