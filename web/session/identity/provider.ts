import { type Client, createClient, Problem } from '#contract/client.ts';
import type { Environment } from './environment.ts';
import { IdentityError, identityErrorFromProblem } from './errors.ts';

/** Milliseconds until a request without an answer fails. */
export const REQUEST_LIMIT = 10_000;

/**
 * Answers a client whose calls carry a bearer token: that of a session, or of a sign-in whose second factor is due.
 * Its calls throw IdentityError.
 */
export type Provider = (token: string | null) => Pick<Client, 'call'>;

const unreachable = new IdentityError('auth/network-request-failed').message;

/** @param url the identity provider's address, ending in `/identity` */
export function createProvider(
  url: string,
  { fetch, deviceToken }: Pick<Environment, 'fetch' | 'deviceToken'>,
): Provider {
  return (token) => {
    const client = createClient({
      base: url,
      token: () => token,
      timeout: REQUEST_LIMIT,
      messages: {
        unreachable,
        timeout: unreachable,
        unexpected: new IdentityError('auth/internal-error').message,
      },
      fetch(address, init) {
        const headers = new Headers(init.headers);
        headers.set('device-token', deviceToken());
        // Without cookies no other site can use the session.
        return fetch(address, { ...init, headers, credentials: 'omit', cache: 'no-store' });
      },
    });
    return {
      call: (endpoint, input) =>
        client.call(endpoint, input).catch((error: unknown) => {
          throw error instanceof Problem ? identityErrorFromProblem(error) : error;
        }),
    };
  };
}
