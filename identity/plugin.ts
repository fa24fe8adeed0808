import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasMultipleHosts } from '#contract/platform/hosts.ts';
import { accountRoutes } from './accounts/routes.ts';
import { googleRoutes } from './google/routes.ts';
import { bearerTokenOf } from './input.ts';
import { DEVICE_HEADER } from './known-clients/known-clients.ts';
import { BASE_PATH, type IdentityOptions } from './options.ts';
import { createIdentity } from './provider.ts';
import { limitReads } from './rate-limits/limit-reads.ts';
import { enforceRateLimits } from './rate-limits/rate-limits.ts';
import { Refusal, toProblem, toRefusal } from './refusals.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { renewSignature } from './secrets.ts';
import { serviceRoutes } from './service-routes.ts';
import { sendLogoutsBeforeResponse } from './sessions/back-channel-logout.ts';
import { createRequestHelpers } from './sessions/request-helpers.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { setLogFields, writeSignInLog } from './sign-in-log/sign-in-log.ts';

export { IDENTITY_CONNECTIONS } from './database/pool.ts';
export type { GoogleOptions } from './google/openid-provider.ts';
export type { IdentityOptions } from './options.ts';

function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  setLogFields(reply.request, { outcome: refusal.code });
  const problem = toProblem(refusal);
  if (refusal.retryAfter !== null) reply.header('retry-after', refusal.retryAfter);
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .send({ ...problem, requestId: reply.request.id });
}

/**
 * Creates a Fastify plugin that serves the identity provider under `/identity`. It has its own database connections,
 * error handler and CORS rules, and does not change the app around it. Registering fails when the database cannot be
 * reached.
 */
export function identityPlugin(options: IdentityOptions) {
  return async function identity(app: FastifyInstance): Promise<void> {
    const provider = await createIdentity(options, app.log);
    app.addHook('onClose', () => provider.close());
    const pages = new Set([options.origin, ...options.trustedOrigins]);

    await app.register(
      async (scope) => {
        scope.setErrorHandler((error, request, reply) => {
          const refusal = toRefusal(error);
          if (refusal.code === 'internal') request.log.error({ err: error }, 'The identity provider failed');
          return sendRefusal(reply, refusal);
        });
        scope.setNotFoundHandler((_request, reply) => sendRefusal(reply, new Refusal('not_found')));

        const { secret, previousSecret } = options;
        scope.addHook('onRequest', async (request) => {
          if (hasMultipleHosts(request.raw.rawHeaders)) {
            throw new Refusal('broken_json', 'The request names two hosts.');
          }
          const bearer = bearerTokenOf(request);
          if (bearer === undefined || previousSecret === undefined) return;
          request.headers.authorization = `Bearer ${renewSignature(bearer, secret, previousSecret)}`;
        });
        scope.addHook('onRequest', async (request, reply) => {
          reply.headers({
            'cache-control': 'no-store',
            vary: 'Origin',
            // Set here because the provider may run outside the shop's app. Routes that answer HTML set their own.
            'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
            'x-content-type-options': 'nosniff',
            // A stricter policy of the surrounding app would cut the sign-in window off from its opener.
            'cross-origin-opener-policy': 'unsafe-none',
          });
          const { origin } = request.headers;
          if (origin === undefined || !pages.has(origin)) return;
          reply.headers({
            'access-control-allow-origin': origin,
            'access-control-expose-headers': 'set-auth-token, retry-after',
          });
        });
        scope.options('/*', (_request, reply) =>
          reply
            .headers({
              'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
              'access-control-allow-headers': `authorization, content-type, ${DEVICE_HEADER}`,
              'access-control-max-age': '600',
            })
            .code(204)
            .send(),
        );
        sendLogoutsBeforeResponse(scope, provider.logout);
        if (options.rateLimit === true) {
          limitReads(scope);
          enforceRateLimits(scope, provider.quotas, provider.knownClients);
        }
        provider.passwordHashing.trackClients(scope);
        writeSignInLog(scope, provider.accounts);
        const requests = createRequestHelpers(provider, options.origin);
        await scope.register(sessionRoutes(provider, requests));
        await scope.register(googleRoutes({ provider, requests, origin: options.origin, pages }));
        await scope.register(accountRoutes(provider, requests));
        await scope.register(secondFactorRoutes(provider, requests));
        await scope.register(serviceRoutes(provider, options.serviceSecret));
        scope.get('/jwks', () => provider.listKeys());
        scope.get('/.well-known/openid-configuration', () => ({
          issuer: provider.issuer,
          jwks_uri: `${provider.issuer}/jwks`,
          id_token_signing_alg_values_supported: ['ES256'],
          response_types_supported: ['id_token'],
          subject_types_supported: ['public'],
          backchannel_logout_supported: options.logoutUrl !== undefined,
          backchannel_logout_session_supported: options.logoutUrl !== undefined,
        }));
      },
      { prefix: BASE_PATH },
    );
  };
}
