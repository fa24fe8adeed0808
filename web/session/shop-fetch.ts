import { Problem } from '#contract/platform/client.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import type { Environment } from './identity/environment.ts';
import { endsIdentitySession } from './identity/errors.ts';

interface ShopFetchOptions extends Pick<Environment, 'fetch'> {
  token: () => string | null;
  /** Renews the token. @throws Problem, IdentityError */
  renewToken: () => Promise<void>;
  isSignedIn: () => boolean;
  /** @param reason a sentence for people, or null for the default one */
  endSession: (reason: string | null) => void;
}

/** Classifies a failed exchange. `unavailable`: the shop gave no decision, so the session stays as it is. */
export function classifyExchangeError(error: unknown): 'session-ended' | 'no-record' | 'unavailable' {
  if (!(error instanceof Problem)) return 'unavailable';
  if (error.code === 'account_ended' || error.status === 401) return 'session-ended';
  return error.status === 403 ? 'no-record' : 'unavailable';
}

/** Whether a public endpoint ignored an invalid token: it treats it like a missing one and adds this header. */
const isTokenIgnored = ({ ok, headers }: Response) => ok && headers.has('www-authenticate');

/**
 * Creates the fetch function of requests with the signed-in user's token. A request whose token is rejected is retried
 * once with a new token. When that is rejected too, the session ends.
 */
export function createShopFetch({ fetch, token, renewToken, isSignedIn, endSession }: ShopFetchOptions) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const isIgnored = isTokenIgnored(response);
    const mayRejectToken = isIgnored || [401, 403].includes(response.status);
    if (!mayRejectToken || !isSignedIn()) return response;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    const problem = ProblemDocument.safeParse(body).data;
    // Any other 403 says nothing about the token.
    if (response.status === 403 && problem?.code !== 'account_ended') return response;
    // The token expired while the page was suspended, or a newer session of this browser replaced its session.
    const isRenewable = isIgnored || ['token_expired', 'session_ended'].includes(problem?.code ?? '');
    if (isRenewable) {
      try {
        await renewToken();
      } catch (error) {
        const kind = classifyExchangeError(error);
        // Without a response this call fails, and the session stays as it is.
        if (kind === 'unavailable' && !endsIdentitySession(error) && !isIgnored) throw error;
        // The identity client reports a session that the provider ended; a missing record shows at the next exchange.
        if (kind === 'session-ended') endSession(error instanceof Error ? error.message : null);
        return response;
      }
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token()}`);
      const retried = await fetch(url, { ...init, headers });
      if (retried.status !== 401 && !(isIgnored && isTokenIgnored(retried))) return retried;
    }
    if (isSignedIn()) endSession(problem?.detail ?? null);
    return response;
  };
}
