import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { ipPrefixes } from '#contract/platform/ip-prefixes.ts';
import { emailInBody } from '../input.ts';
import { identifyClient, type KnownClientStore } from '../known-clients/known-clients.ts';
import { BASE_PATH } from '../options.ts';
import { tooManyAttempts } from '../refusals.ts';

/** Allows `count` at once, and `count` more spread evenly over each span of `seconds`. */
interface Quota {
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

interface Limit {
  /**
   * Counted for the e-mail address in the body, even if no account has it. `client`: one quota for each device
   * and network that the account knows, and one for all other clients together, so that guesses from elsewhere do not
   * lock out the owner. `network`: one quota for each network.
   */
  account?: Quota & { per: 'client' | 'network' };
  /** Counted for each prefix of the IP address. */
  ip: Quota;
  /** Whether a success resets the client's count for the account. */
  resetsOnSuccess?: boolean;
}

const HOUR = 3600;

/** Enough for an office or a school behind one address, too few for a guessing program. */
const ipQuota: Quota = { count: 100, seconds: HOUR };

/** Limits by method and path. Any other request that changes something counts as {@link otherLimit}. */
const limits: Readonly<Record<string, Limit>> = {
  'POST /sign-in/email': {
    account: { count: 20, seconds: HOUR / 4, per: 'client' },
    ip: { count: 300, seconds: HOUR / 4 },
    resetsOnSuccess: true,
  },
  'POST /sign-up/email': {
    account: { count: 20, seconds: HOUR, per: 'network' },
    ip: { count: 200, seconds: HOUR },
  },
  // Each view of the login page makes one, so they do not use up the limit of other requests.
  'POST /sign-in/passkey/options': { ip: { count: 1200, seconds: HOUR } },
  'GET /popup/google': { ip: { count: 300, seconds: HOUR / 4 } },
  // `mail/outbox.ts` also limits the e-mails that one account is sent.
  'POST /password/reset-letter': { ip: ipQuota },
  'POST /password/reset': { ip: ipQuota },
  'POST /email/verification-letter': { ip: ipQuota },
  'POST /email/verify': { ip: ipQuota },
};
const otherLimit: Limit = { ip: { count: 1200, seconds: HOUR } };

const CLEANUP_INTERVAL_MS = 10 * 60_000;

/** Hashes the key of a count, so that the table contains neither e-mail nor IP addresses. */
function hashKey(operation: string, scope: string, subject: string): string {
  return createHash('sha256').update(`${operation} ${scope} ${subject}`).digest('base64url');
}

/** Finds the limit of a request. @returns null for one that is not limited */
function findLimit(request: FastifyRequest): { operation: string; limit: Limit } | null {
  const { method } = request;
  const path = request.routeOptions.url?.slice(BASE_PATH.length) ?? '';
  const operation = `${method} ${path}`;
  const limit = limits[operation];
  if (limit !== undefined) return { operation, limit };
  // Requests of the shop's server carry its secret, which cannot be guessed.
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || path.startsWith('/admin/')) return null;
  return { operation: 'other', limit: otherLimit };
}

/** The key of each request's account count, for the reset on success. */
const accountKeys = new WeakMap<FastifyRequest, string>();

/**
 * Limits the requests to a scope. The counts are in the provider's own schema, so that all its processes count
 * together, a restart keeps them, and the provider can run on another machine than the shop.
 */
export function enforceRateLimits(
  scope: FastifyInstance,
  store: RateLimitStore,
  knownClients: KnownClientStore,
): void {
  scope.addHook('preHandler', async (request) => {
    const found = findLimit(request);
    if (found === null) return;
    const { operation, limit } = found;
    const quotas: (Quota & { key: string })[] = [];
    const email = emailInBody(request);
    let ipScope = 'address';
    if (limit.account !== undefined && email !== undefined) {
      const client = identifyClient(request);
      const recognized = await knownClients.recognize({ email }, client);
      const hash = limit.account.per === 'network' ? client.network : recognized.hash;
      const key = hashKey(operation, 'account', `${email} ${hash.toString('hex')}`);
      accountKeys.set(request, key);
      quotas.push({ key, ...limit.account });
      // Known devices have an IP quota of their own: strangers in the same network do not use it up.
      if (recognized.kind === 'device') ipScope = 'address of known devices';
    }
    for (const { prefix, quotaFactor } of ipPrefixes(request.ip)) {
      const { count, seconds } = limit.ip;
      quotas.push({ key: hashKey(operation, ipScope, prefix), count: count * quotaFactor, seconds });
    }
    const retryAfter = await store.countAttempt(quotas);
    if (retryAfter !== null) throw tooManyAttempts('Too many attempts.', retryAfter);
  });

  scope.addHook('onResponse', async (request, reply) => {
    const key = accountKeys.get(request);
    if (findLimit(request)?.limit.resetsOnSuccess !== true || key === undefined || reply.statusCode !== 200)
      return;
    await store.reset(key);
  });

  const cleanups = setInterval(() => {
    store
      .deleteExpired()
      .catch((error: unknown) => scope.log.warn({ err: error }, 'Expired rate limits could not be deleted'));
  }, CLEANUP_INTERVAL_MS);
  cleanups.unref();
  scope.addHook('onClose', async () => clearInterval(cleanups));
}
