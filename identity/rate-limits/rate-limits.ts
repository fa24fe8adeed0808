import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CountedQuota, ipQuotas, type Quota, type QuotaStore, quotaKey } from '#rate-limits/quotas.ts';
import { emailInBody } from '../input.ts';
import { identifyClient, type KnownClientStore } from '../known-clients/known-clients.ts';
import { BASE_PATH } from '../options.ts';
import { tooManyAttempts } from '../refusals.ts';

interface Limit {
  /**
   * Counted for the email address in the body, even if no account has it. `client`: one quota for each device
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
  'GET /callback/google': { ip: { count: 300, seconds: HOUR / 4 } },
  // `mail/emails.ts` also limits the emails that one account is sent.
  'POST /password/reset-letter': { ip: ipQuota },
  'POST /password/reset': { ip: ipQuota },
  'POST /email/verification-letter': { ip: ipQuota },
  'POST /email/verify': { ip: ipQuota },
};
const otherLimit: Limit = { ip: { count: 1200, seconds: HOUR } };

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
  store: QuotaStore,
  knownClients: KnownClientStore,
): void {
  scope.addHook('preHandler', async (request) => {
    const found = findLimit(request);
    if (found === null) return;
    const { operation, limit } = found;
    const quotas: CountedQuota[] = [];
    const email = emailInBody(request);
    let ipScope = 'address';
    if (limit.account !== undefined && email !== undefined) {
      const client = identifyClient(request);
      const recognized = await knownClients.recognize({ email }, client);
      const hash = limit.account.per === 'network' ? client.network : recognized.hash;
      const key = quotaKey(operation, 'account', `${email} ${hash.toString('hex')}`);
      accountKeys.set(request, key);
      quotas.push({ key, ...limit.account });
      // Known devices have an IP quota of their own: strangers in the same network do not use it up.
      if (recognized.kind === 'device') ipScope = 'address of known devices';
    }
    quotas.push(...ipQuotas(operation, ipScope, request.ip, limit.ip));
    const retryAfter = await store.take(quotas);
    if (retryAfter !== null) throw tooManyAttempts('Too many attempts.', retryAfter);
  });

  scope.addHook('onResponse', async (request, reply) => {
    const key = accountKeys.get(request);
    if (findLimit(request)?.limit.resetsOnSuccess !== true || key === undefined || reply.statusCode !== 200)
      return;
    await store.reset(key);
  });
}
