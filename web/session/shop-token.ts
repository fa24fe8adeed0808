import * as z from 'zod/mini';
import { exchangeToken, TOKEN_KEY } from '#contract/people/accounts.ts';
import { type Client, createClient, Problem } from '#contract/platform/client.ts';
import { parseJson } from '#contract/platform/json.ts';
import { tryStorage } from '../ui/browser-storage.ts';
import type { IdentityClient } from './identity/client.ts';
import type { Environment } from './identity/environment.ts';
import { createSharedWork } from './identity/lock.ts';
import { parseClaims } from './identity/stored-session.ts';

export type ShopToken = ReturnType<typeof createShopToken>;

/** Creates a client whose calls carry an ID token. It is for calls that are made before the shop has issued its token. */
export function createIdTokenClient(idToken: string, fetch: Environment['fetch']): Client {
  return createClient({ base: '/api', fetch, token: () => idToken, timeout: 15_000 });
}

/** Classifies a failed exchange. `unavailable`: the shop gave no decision, so the session stays as it is. */
export function classifyExchangeError(error: unknown): 'session-ended' | 'no-record' | 'unavailable' {
  if (!(error instanceof Problem)) return 'unavailable';
  if (error.code === 'account_ended' || error.status === 401) return 'session-ended';
  return error.status === 403 ? 'no-record' : 'unavailable';
}

/** Name of the lock under which a tab exchanges an ID token, and storage key of the last exchange. */
const EXCHANGE = `${TOKEN_KEY}:exchange`;

/** Milliseconds for which a tab reuses the token that another tab got for the same ID token. */
const REUSE_LIMIT = 30_000;

/**
 * The last exchange of any tab: the signature, subject and time of issue (in seconds, by the provider's clock) of its ID
 * token, and its own time in milliseconds by this device's clock.
 */
const LastExchange = z.object({ proof: z.string(), sub: z.string(), iat: z.number(), at: z.number() });
type LastExchange = z.infer<typeof LastExchange>;

/** A signature identifies its token and cannot be used as a bearer token. */
const signatureOf = (idToken: string) => idToken.slice(idToken.lastIndexOf('.') + 1);

/** Whether an exchange was made for this ID token or for a newer one of the same user. */
function covers(exchange: LastExchange, idToken: string): boolean {
  if (exchange.proof === signatureOf(idToken)) return true;
  const claims = parseClaims(idToken);
  return claims !== null && claims.sub === exchange.sub && claims.iat < exchange.iat;
}

function isSameUser(idToken: string, other: string): boolean {
  const claims = parseClaims(idToken);
  return idToken === other || (claims !== null && claims.sub === parseClaims(other)?.sub);
}

/**
 * Keeps the shop's token in local storage, or in memory where storage is forbidden or full. All tabs receive a new ID
 * token at the same time: one tab exchanges it, and the others reuse the result.
 */
export function createShopToken(
  environment: Pick<Environment, 'fetch' | 'localStorage'>,
  user: Pick<IdentityClient, 'getIdToken'> & { email: () => string },
) {
  const { fetch, localStorage } = environment;
  /** The token when storage did not accept it. It is newer than the stored one. */
  let unstoredToken: string | null = null;
  const exchangeOnce = createSharedWork<void>(EXCHANGE);
  /** The ID token of the last request to exchange one; null after `clear`. */
  let requestedIdToken: string | null = null;
  /** The number of calls of `clear`: what was requested before the last one must not be stored. */
  let clearings = 0;
  let exchangedIdToken: string | null = null;

  const read = () => unstoredToken ?? tryStorage(() => localStorage().getItem(TOKEN_KEY));

  function save(token: string, idToken: string): void {
    const { sub = '', iat = 0 } = parseClaims(idToken) ?? {};
    const exchange: LastExchange = { proof: signatureOf(idToken), sub, iat, at: Date.now() };
    const isStored = tryStorage(() => {
      localStorage().setItem(TOKEN_KEY, token);
      localStorage().setItem(EXCHANGE, JSON.stringify(exchange));
      return true;
    });
    unstoredToken = isStored ? null : token;
  }

  /**
   * Whether another tab has just stored a token for this ID token or a newer one.
   * @param rejectedToken a token that the shop has rejected
   */
  function isStoredTokenReusable(idToken: string, rejectedToken: string | null): boolean {
    const token = read();
    if (unstoredToken !== null || token === null || token === rejectedToken) return false;
    const stored = tryStorage(() => localStorage().getItem(EXCHANGE));
    const last = LastExchange.safeParse(parseJson(stored ?? '')).data;
    // The age is negative after this device's clock was set back.
    return last !== undefined && covers(last, idToken) && Math.abs(Date.now() - last.at) < REUSE_LIMIT;
  }

  async function reuseOrExchange(
    idToken: string,
    email: string,
    rejectedToken: string | null,
  ): Promise<void> {
    if (!isStoredTokenReusable(idToken, rejectedToken)) {
      const clearingsBefore = clearings;
      const { coomercioToken } = await createIdTokenClient(idToken, fetch).call(exchangeToken, {
        query: { email },
      });
      const isPresentUser = requestedIdToken !== null && isSameUser(requestedIdToken, idToken);
      if (clearings > clearingsBefore || !isPresentUser) return;
      // If the ID token was renewed meanwhile, its exchange follows, and other tabs that still have the older one reuse this
      // result. In browsers without locks the newer one may have been exchanged already.
      if (idToken !== requestedIdToken && requestedIdToken === exchangedIdToken) return;
      save(coomercioToken, idToken);
    }
    exchangedIdToken = idToken;
  }

  return {
    read,
    clear(): void {
      clearings += 1;
      requestedIdToken = null;
      exchangedIdToken = null;
      unstoredToken = null;
      tryStorage(() => {
        localStorage().removeItem(TOKEN_KEY);
        localStorage().removeItem(EXCHANGE);
      });
    },
    /**
     * Exchanges the ID token of the signed-in user, unless the stored token was issued for the same one or for a newer one.
     * @param force renews both tokens, after the shop has rejected the present one
     * @throws Problem, IdentityError
     */
    async exchange(force = false): Promise<void> {
      const rejectedToken = force ? read() : null;
      const email = user.email();
      const idToken = await user.getIdToken(force);
      if (!force && idToken === exchangedIdToken && read() !== null) return;
      requestedIdToken = idToken;
      await exchangeOnce(idToken, () => reuseOrExchange(idToken, email, rejectedToken));
    },
  };
}
