import { type Client, createClient, Problem } from '#contract/platform/client.ts';
import { createDeviceTokenSource } from './device-token.ts';
import type { Environment } from './environment.ts';
import { IdentityError, identityError } from './errors.ts';

/** Milliseconds until a request without a response fails. */
const REQUEST_TIMEOUT = 10_000;

/**
 * Creates a client whose calls carry a bearer token: of a session, or of a sign-in that requires its second factor.
 * Its calls throw IdentityError.
 */
export type Provider = (token: string | null) => Pick<Client, 'call'>;

const unreachable = identityError('network').message;
const unexpected = identityError('internal').message;

/** @param url the identity provider's address, ending in `/identity` */
export function createProvider(
  url: string,
  { fetch, localStorage }: Pick<Environment, 'fetch' | 'localStorage'>,
): Provider {
  const deviceToken = createDeviceTokenSource(localStorage);
  return (token) => {
    const client = createClient({
      base: url,
      token: () => token,
      timeout: REQUEST_TIMEOUT,
      messages: { unreachable, timeout: unreachable, unexpected },
      fetch(address, init) {
        const headers = new Headers(init.headers);
        headers.set('device-token', deviceToken());
        // Cookies are omitted, so that no other site can use the session (CSRF).
        return fetch(address, { ...init, headers, credentials: 'omit', cache: 'no-store' });
      },
    });
    return {
      call: (endpoint, input) =>
        client.call(endpoint, input).catch((error: unknown) => {
          throw error instanceof Problem
            ? new IdentityError(error.code, error.message, error, error.errors)
            : error;
        }),
    };
  };
}
