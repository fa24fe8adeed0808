import { type Client, createClient } from '#contract/client.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import { endsIdentitySession } from './identity/errors.ts';
import type { User } from './identity/user.ts';
import { classifyExchangeError, type ShopToken } from './shop-token.ts';

interface ShopClientOptions {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  shopToken: ShopToken;
  /** The signed-in user at the identity provider, or null. */
  user: () => User | null;
  isSignedIn: () => boolean;
  /** @param reason a sentence for people, or null for the default one */
  endSession: (reason: string | null) => void;
}

async function readProblem(response: Response): Promise<ProblemDocument | undefined> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return ProblemDocument.safeParse(body).data;
}

/**
 * Creates the client that calls the shop with the signed-in user's token. An answer that rejects the token is retried
 * once with a new token; where that does not help, the session ends.
 */
export function createShopClient(options: ShopClientOptions): Client {
  const { shopToken, user, isSignedIn, endSession } = options;

  async function fetchWithToken(url: string, init: RequestInit): Promise<Response> {
    const response = await options.fetch(url, init);
    // A public call answers a bad token as it answers no token, and adds this header.
    const isAnonymous = response.ok && response.headers.has('www-authenticate');
    const isAboutToken = isAnonymous || [401, 403].includes(response.status);
    if (!isAboutToken || !isSignedIn()) return response;
    const problem = await readProblem(response);
    // Any other 403 is about this call alone.
    if (response.status === 403 && problem?.code !== 'account_ended') return response;
    const signedIn = user();
    // The page slept past the token's end, or another session of this browser replaced the token's session.
    const isRenewable = isAnonymous || ['token_expired', 'session_ended'].includes(problem?.code ?? '');
    if (isRenewable && signedIn !== null) {
      try {
        await shopToken.exchange(signedIn, true);
      } catch (error) {
        const kind = classifyExchangeError(error);
        // Without an answer this call fails, and nothing is known about the session.
        if (kind === 'unavailable' && !endsIdentitySession(error)) {
          if (isAnonymous) return response;
          throw error;
        }
        // The identity client reports a session that the provider ended; a missing record shows at the next exchange.
        if (kind === 'session-ended') endSession(error instanceof Error ? error.message : null);
        return response;
      }
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${shopToken.read()}`);
      const retried = await options.fetch(url, { ...init, headers });
      if (retried.status !== 401 && !(isAnonymous && retried.headers.has('www-authenticate'))) return retried;
    }
    if (isSignedIn()) endSession(problem?.detail ?? null);
    return response;
  }

  return createClient({ base: '/api', fetch: fetchWithToken, token: shopToken.read });
}
