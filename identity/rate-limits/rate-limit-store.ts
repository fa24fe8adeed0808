import type { Pool } from 'pg';
import * as z from 'zod/mini';

/** Allows `count` at once, and `count` more spread evenly over each span of `seconds`. */
export interface Quota {
  readonly count: number;
  readonly seconds: number;
}

const Waits = z.array(z.object({ wait: z.nullable(z.number()) }));

/**
 * The generic cell rate algorithm. A row holds the time at which the key's whole quota is available again. One
 * statement checks and counts, under the row's lock and by `clock_timestamp()`: `now()` is the start of the
 * transaction, and a transaction that started earlier may get the lock later.
 */
const countAttempts = `
  with wanted as (
    select key, step * interval '1 second' as step, span * interval '1 second' as span
      from unnest($1::text[], $2::float8[], $3::float8[]) as asked (key, step, span)
  ), taken as (
    insert into attempt_limit as held (key, empty_at)
      select key, now() + step from wanted order by key
      on conflict (key) do update
        set empty_at = greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
        where greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
              <= clock_timestamp() + (select span from wanted where wanted.key = held.key)
      returning key
  )
  select extract(epoch from max(coalesce(held.empty_at, now() + span) + step - span) - now())::float8 as wait
    from wanted left join attempt_limit as held using (key)
   where key not in (select key from taken)`;

/** The attempts counted in the table `attempt_limit`, by all processes together. */
export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

/** @param pool connections whose search_path is the schema `identity` */
export function createRateLimitStore(pool: Pool) {
  return {
    /**
     * Counts one attempt under each key.
     * @returns null when every quota allows it, else the seconds until all do
     */
    async countAttempt(quotas: readonly (Quota & { key: string })[]): Promise<number | null> {
      const { rows } = await pool.query(countAttempts, [
        quotas.map(({ key }) => key),
        quotas.map(({ count, seconds }) => seconds / count),
        quotas.map(({ seconds }) => seconds),
      ]);
      return Waits.parse(rows)[0]?.wait ?? null;
    },

    /** Makes the whole quota of a key available again. */
    async reset(key: string): Promise<void> {
      await pool.query('delete from attempt_limit where key = $1', [key]);
    },

    /** Deletes the rows whose whole quota is available again. */
    async deleteExpired(): Promise<void> {
      await pool.query('delete from attempt_limit where empty_at < now()');
    },
  };
}
