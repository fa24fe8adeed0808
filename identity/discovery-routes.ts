import type { FastifyInstance } from 'fastify';
import type { Identity } from './provider.ts';
import type { RequestHelpers } from './sessions/request-helpers.ts';

/**
 * Routes of the OpenID Connect discovery document and the key set.
 * @param sendsLogoutTokens whether a back-channel logout endpoint is configured
 */
export function discoveryRoutes(provider: Identity, requests: RequestHelpers, sendsLogoutTokens: boolean) {
  return async function routes(scope: FastifyInstance): Promise<void> {
    scope.get('/jwks', async (request, reply) => {
      const response = await requests.requireSuccess(await requests.callBetterAuth(request, '/jwks'), reply);
      return response.json();
    });
    scope.get('/.well-known/openid-configuration', () => ({
      issuer: provider.issuer,
      jwks_uri: `${provider.issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      backchannel_logout_supported: sendsLogoutTokens,
      backchannel_logout_session_supported: sendsLogoutTokens,
    }));
  };
}
