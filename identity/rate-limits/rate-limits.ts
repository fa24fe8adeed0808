import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { ipPrefixes } from '#contract/addresses.ts';
import type { Store } from '../accounts/account-store.ts';
import { type ClientStore, clientOf } from '../known-clients/known-clients.ts';
import { BASE_PATH } from '../provider.ts';
import { tooOften } from '../refusals.ts';

/** So many at once, and as many again spread over each span of so many seconds. */
interface Quota {
  count: number;
  seconds: number;
}

interface Limit {
  /**
   * By the e-mail address that is typed, whether or not there is an account with it, and by where it is typed:
   * `client` has a quota for each device and network that the account knows and one for all others together, so that
   * guesses from elsewhere do not lock out the owner; `network` has one for each network.
   */
  account?: Quota & { per: 'client' | 'network' };
  address: Quota;
  /** A success proves that it was not somebody guessing: the client's count begins anew. */
  forgivesSuccess?: boolean;
}

const HOUR = 3600;

/** A school or an office behind one address, and still far from what a program does that tries out. */
const people: Quota = { count: 100, seconds: HOUR };

/** How often what may be tried. Whatever changes something and is not named here counts as `other`. */
const limits: Readonly<Record<string, Limit>> = {
  'POST /sign-in/email': {
    account: { count: 20, seconds: HOUR / 4, per: 'client' },
    address: { count: 300, seconds: HOUR / 4 },
    forgivesSuccess: true,
  },
  'POST /sign-up/email': {
    account: { count: 20, seconds: HOUR, per: 'network' },
    address: { count: 200, seconds: HOUR },
  },
  'GET /popup/google': { address: { count: 300, seconds: HOUR / 4 } },
  // How many letters an account is sent, `mail/store.ts` limits.
  'POST /password/reset-letter': { address: people },
  'POST /password/reset': { address: people },
  'POST /email/verification-letter': { address: people },
  'POST /email/verify': { address: people },
};
const other: Limit = { address: { count: 1200, seconds: HOUR } };

const SWEEP_MILLISECONDS = 10 * 60_000;

const Typed = z.object({
  email: z.string().check(z.trim(), z.maxLength(254, { abort: true }), z.toLowerCase()),
});

/** Hashed, so that the table names neither people nor addresses. */
function keyOf(what: string, by: string, who: string): string {
  return createHash('sha256').update(`${what} ${by} ${who}`).digest('base64url');
}

/** What a request counts as; null when it is not limited. */
function kindOf(request: FastifyRequest): { what: string; limit: Limit } | null {
  const { method } = request;
  const path = request.routeOptions.url?.slice(BASE_PATH.length) ?? '';
  const named = limits[`${method} ${path}`];
  if (named !== undefined) return { what: `${method} ${path}`, limit: named };
  // The shop's own requests show its secret, which nobody guesses.
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || path.startsWith('/admin/'))
    return null;
  return { what: 'other', limit: other };
}

/** The e-mail address that a request names, in lower case. */
export const typedEmail = (request: FastifyRequest) => z.safeParse(Typed, request.body).data?.email;

/** A request's count under its account. */
const accountKeys = new WeakMap<FastifyRequest, string>();

/**
 * Limits how often somebody may try, on a scope of the provider's endpoints. Counted in the provider's own schema, so
 * that all its processes count together, a restart forgets nothing, and it can stand on a machine of its own.
 */
export function limitAttempts(scope: FastifyInstance, store: Store, clients: ClientStore): void {
  scope.addHook('preHandler', async (request) => {
    const kind = kindOf(request);
    if (kind === null) return;
    const { what, limit } = kind;
    const quotas: { key: string; count: number; seconds: number }[] = [];
    const email = typedEmail(request);
    let addressCount = 'address';
    if (limit.account !== undefined && email !== undefined) {
      const client = clientOf(request);
      const recognized = await clients.recognize({ email }, client);
      const hash = limit.account.per === 'network' ? client.network : recognized.hash;
      const key = keyOf(what, 'account', `${email} ${hash.toString('hex')}`);
      accountKeys.set(request, key);
      quotas.push({ key, ...limit.account });
      // Nor does a stranger in the same network use up what known devices are allowed from there.
      if (recognized.kind === 'device') addressCount = 'address of known devices';
    }
    for (const { prefix, quotaFactor } of ipPrefixes(request.ip)) {
      const { count, seconds } = limit.address;
      quotas.push({ key: keyOf(what, addressCount, prefix), count: count * quotaFactor, seconds });
    }
    const wait = await store.takeAttempts(quotas);
    if (wait !== null) throw tooOften('Too many attempts.', wait);
  });

  scope.addHook('onResponse', async (request, reply) => {
    const key = accountKeys.get(request);
    if (kindOf(request)?.limit.forgivesSuccess !== true || key === undefined || reply.statusCode !== 200)
      return;
    await store.forgetAttempts(key);
  });

  const sweeping = setInterval(() => {
    store
      .sweepAttempts()
      .catch((error: unknown) => scope.log.warn({ err: error }, 'Lapsed limits could not be removed'));
  }, SWEEP_MILLISECONDS);
  sweeping.unref();
  scope.addHook('onClose', async () => clearInterval(sweeping));
}
