import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ipPrefixes } from '#contract/platform/ip-prefixes.ts';

/** Allows `count` uses at once, and `count` more spread evenly over each span of `seconds`. */
export interface Quota {
  readonly count: number;
  readonly seconds: number;
}

/** A quota, and the key under which its uses are counted. */
export type CountedQuota = Quota & { readonly key: string };

/** Hashes what a quota is for, so that the table holds neither accounts nor addresses, and keys have a fixed length. */
export function quotaKey(operation: string, scope: string, subject: string): string {
  return createHash('sha256').update(`${operation} ${scope} ${subject}`).digest('base64url');
}

/** The quotas of an IP address: one for each of its prefixes. */
export const ipQuotas = (operation: string, scope: string, ip: string, { count, seconds }: Quota) =>
  ipPrefixes(ip).map(({ prefix, quotaFactor }) => ({
    key: quotaKey(operation, scope, prefix),
    count: count * quotaFactor,
    seconds,
  }));

/**
 * The generic cell rate algorithm. A row holds the time at which the key's whole quota is available again. One
 * statement checks and counts, under the row's lock and by `clock_timestamp()`: `now()` is the start of the
 * transaction, and a transaction that started earlier may get the lock later.
 */
const take = `
  with wanted as (
    select key, step * interval '1 second' as step, span * interval '1 second' as span
      from unnest($1::text[], $2::float8[], $3::float8[]) as asked (key, step, span)
  ), taken as (
    insert into rate_limits as held (key, empty_at)
      select key, now() + step from wanted order by key
      on conflict (key) do update
        set empty_at = greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
        where greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
              <= clock_timestamp() + (select span from wanted where wanted.key = held.key)
      returning key
  )
  select extract(epoch from max(coalesce(held.empty_at, now() + span) + step - span) - now())::float8 as wait
    from wanted left join rate_limits as held using (key)
   where key not in (select key from taken)`;

const left = `
  select min(floor((span - used) / step))::integer as possible, max(used + $4::float8 * step - span) as wait
    from (
      select step, span, greatest(0, coalesce(extract(epoch from held.empty_at - clock_timestamp()), 0))::float8 as used
        from unnest($1::text[], $2::float8[], $3::float8[]) as asked (key, step, span)
        left join rate_limits as held using (key)
    ) as uses`;

const Waits = z.tuple([z.object({ wait: z.nullable(z.number()) })]);
const Uses = z.tuple([z.object({ possible: z.nullable(z.number()), wait: z.nullable(z.number()) })]);

/** The used parts of quotas, which all processes count together and a restart keeps. */
export type QuotaStore = ReturnType<typeof createQuotaStore>;

/** @param query runs a statement on a connection that finds the table `rate_limits` */
export function createQuotaStore(
  query: (text: string, values: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>,
) {
  const columns = (quotas: readonly CountedQuota[], uses = 1) => [
    quotas.map(({ key }) => key),
    quotas.map(({ count, seconds }) => (uses * seconds) / count),
    quotas.map(({ seconds }) => seconds),
  ];
  return {
    /**
     * Counts uses of every quota that allows them.
     * @param uses how many at once, at most the smallest count
     * @returns null when every quota allows them, else the seconds until all do
     */
    async take(quotas: readonly CountedQuota[], uses = 1): Promise<number | null> {
      return Waits.parse((await query(take, columns(quotas, uses))).rows)[0].wait;
    },

    /** Tells how many uses are possible now, at most `wanted`, and in how many seconds all that are wanted are. */
    async left(quotas: readonly CountedQuota[], wanted: number): Promise<{ count: number; wait: number }> {
      const [{ possible, wait }] = Uses.parse((await query(left, [...columns(quotas), wanted])).rows);
      return { count: Math.min(wanted, Math.max(0, possible ?? wanted)), wait: Math.max(0, wait ?? 0) };
    },

    /** Makes the whole quota of a key available again. */
    async reset(key: string): Promise<void> {
      await query('delete from rate_limits where key = $1', [key]);
    },

    /** Deletes the rows whose whole quota is available again. */
    async deleteExpired(): Promise<void> {
      await query('delete from rate_limits where empty_at < now()', []);
    },
  };
}
