import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { LimitName } from '#contract/endpoint.ts';
import { ipPrefixes } from '#contract/ip-prefixes.ts';
import { prepared } from '../database/prepared.ts';
import type { Database } from '../database/tables.ts';
import { Refusal } from './refusal.ts';

/** So many at once, and as many again spread over each span of so many seconds. */
interface Quota {
  count: number;
  seconds: number;
}

const HOUR = 3600;

/**
 * How often something may be done. By account: several times what somebody in a hurry does. By address: a school or
 * an office behind one address, and still far from what a program does that tries out.
 */
const limits: Record<LimitName | 'upload', { account: Quota; address: Quota; sentence: string }> = {
  // Once in a life, but by the specification each sign-in with Google asks for it as well.
  registration: {
    account: { count: 20, seconds: HOUR },
    address: { count: 600, seconds: HOUR },
    sentence: 'Many accounts were made from here within a short time.',
  },
  // It may be long, and nobody reads it twice in a row.
  export: {
    account: { count: 10, seconds: HOUR },
    address: { count: 100, seconds: HOUR },
    sentence: 'You have asked for your data many times within a short time.',
  },
  // A seller with forty laptops and three photos of each.
  upload: {
    account: { count: 150, seconds: HOUR },
    address: { count: 600, seconds: HOUR },
    sentence: 'You have uploaded many photos within a short time.',
  },
  // Each laptop is shown to everybody, and each one empties the caches of lists.
  listing: {
    account: { count: 60, seconds: HOUR },
    address: { count: 600, seconds: HOUR },
    sentence: 'You have listed many laptops within a short time.',
  },
  // The home page shows the latest twelve: nobody may push everybody else's off it for long.
  advertising: {
    account: { count: 60, seconds: HOUR },
    address: { count: 600, seconds: HOUR },
    sentence: 'You have advertised many laptops within a short time.',
  },
  // Each booking mails a seller, so nobody may book a whole shelf.
  booking: {
    account: { count: 60, seconds: HOUR },
    address: { count: 600, seconds: HOUR },
    sentence: 'You have booked many laptops within a short time.',
  },
  // Each report takes an admin's minute.
  reporting: {
    account: { count: 30, seconds: HOUR },
    address: { count: 300, seconds: HOUR },
    sentence: 'You have reported many laptops within a short time.',
  },
  // An open payment page renews its hold every minute, or keeps its place in line every half a minute. Trying out stolen
  // cards is limited by the card processor: this call reaches no card.
  payment: {
    account: { count: 300, seconds: HOUR },
    address: { count: 1200, seconds: HOUR },
    sentence: 'There were many attempts at paying within a short time, and this one did nothing.',
  },
  // A page whose report is not answered makes it again every half a minute; the card was charged before the first one.
  recording: {
    account: { count: 120, seconds: HOUR },
    address: { count: 1200, seconds: HOUR },
    sentence:
      'This payment was reported many times within a short time. The card processor tells the shop of it as well.',
  },
};
export type Limited = keyof typeof limits;

/** Who does it. */
interface RateLimitSubject {
  /** Whatever names the account for ever; null without one. */
  account: string | null;
  address: string;
}

export interface Limiter {
  /** Counts one. @throws Refusal `too_many_requests` with the moment from which the next one is possible */
  take(limit: Limited, doer: RateLimitSubject): Promise<void>;
  /** Removes what no longer limits anybody. */
  sweep(): Promise<void>;
}

/** For tests and measurements that do in seconds what people do in weeks. */
export const unlimited: Limiter = { take: async () => undefined, sweep: async () => undefined };

/** Hashed, so that the table names neither people nor addresses and a key is short whatever was sent. */
function keyOf(limit: Limited, by: 'account' | 'address', who: string): string {
  return createHash('sha256').update(`${limit} ${by} ${who}`).digest('base64url');
}

/** A person's words for a span that begins now. */
function spanInWords(until: Date): string {
  const minutes = Math.ceil((until.getTime() - Date.now()) / 60_000);
  return minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`;
}

/**
 * Counts in the database, so that all processes count together and a restart forgets nothing. The table keeps for
 * each key the moment at which its whole allowance is there again (the generic cell rate algorithm); one statement
 * looks and takes, under the row's lock, by the database's clock as it is then: `now()` is when the transaction began,
 * and one that began earlier may get the lock later.
 */
export function createLimiter(database: Database): Limiter {
  return {
    take: async (limit, { account, address }) => {
      const { sentence, ...quotas } = limits[limit];
      const asked = [
        ...(account === null ? [] : [{ by: 'account' as const, who: account, quotaFactor: 1 }]),
        ...ipPrefixes(address).map(({ prefix, quotaFactor }) => ({
          by: 'address' as const,
          who: prefix,
          quotaFactor,
        })),
      ];
      const keys = asked.map(({ by, who }) => keyOf(limit, by, who));
      const spans = asked.map(({ by }) => quotas[by].seconds);
      const steps = asked.map(({ by, quotaFactor }) => quotas[by].seconds / (quotas[by].count * quotaFactor));
      const { rows } = await sql<{ retry_at: Date | null }>`
        ${prepared}
        with wanted as (
          select key, step * interval '1 second' as step, span * interval '1 second' as span
            from unnest(${keys}::text[], ${steps}::float8[], ${spans}::float8[]) as asked (key, step, span)
        ), taken as (
          insert into rate_limits as held (key, empty_at)
            select key, now() + step from wanted order by key
            on conflict (key) do update
              set empty_at = greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
              where greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
                    <= clock_timestamp() + (select span from wanted where wanted.key = held.key)
            returning key
        )
        select max(coalesce(held.empty_at, now() + span) + step - span) as retry_at
          from wanted left join rate_limits as held using (key)
         where key not in (select key from taken)
      `.execute(database);
      const retryAt = rows[0]?.retry_at ?? null;
      if (retryAt === null) return;
      throw new Refusal('too_many_requests', `${sentence} Please try again ${spanInWords(retryAt)}.`, {
        retryAt,
      });
    },
    sweep: async () => {
      await sql`delete from rate_limits where empty_at < now()`.execute(database);
    },
  };
}
