import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasSecondHost } from '#contract/hosts.ts';
import { accountRoutes } from './account-routes.ts';
import { DEVICE_HEADER } from './known-clients/known-clients.ts';
import type { IdentityOptions } from './options.ts';
import { BASE_PATH, createIdentity } from './provider.ts';
import { limitAttempts } from './rate-limits/rate-limits.ts';
import { problemOf, Refusal, refusalFor } from './refusals.ts';
import { routes } from './routes.ts';
import { factorRoutes } from './second-factor/routes.ts';
import { renewSignature } from './secrets.ts';
import { tellBeforeAnswering } from './sessions/back-channel-logout.ts';
import { createDesk } from './sessions/request-helpers.ts';
import { logAttempts, note } from './sign-in-log/sign-in-log.ts';

export type { GoogleOptions } from './google/openid-provider.ts';
export type { IdentityOptions } from './options.ts';

function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  note(reply.request, { outcome: refusal.code });
  const problem = problemOf(refusal);
  if (refusal.retryAfter !== null) reply.header('retry-after', refusal.retryAfter);
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .send({ ...problem, requestId: reply.request.id });
}

/**
 * A Fastify plugin that serves the identity provider under `/identity`. It keeps to its own scope: own
 * database connections, own error answers, own cross-origin rules; what surrounds it is not changed.
 * Registering fails when the database cannot be reached.
 */
export function identityPlugin(options: IdentityOptions) {
  return async function identity(app: FastifyInstance): Promise<void> {
    const provider = await createIdentity(options, app.log);
    app.addHook('onClose', () => provider.close());
    const pages = new Set([options.origin, ...options.trustedOrigins]);

    await app.register(
      async (scope) => {
        scope.setErrorHandler((error, request, reply) => {
          const refusal = refusalFor(error);
          if (refusal.code === 'internal') request.log.error({ err: error }, 'The identity provider failed');
          return refuse(reply, refusal);
        });
        scope.setNotFoundHandler((_request, reply) => refuse(reply, new Refusal('not_found')));

        const { secret, previousSecret } = options;
        scope.addHook('onRequest', async (request) => {
          if (hasSecondHost(request.raw.rawHeaders)) {
            throw new Refusal('broken_json', 'The request names two hosts.');
          }
          const [, bearer] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
          if (bearer === undefined || previousSecret === undefined) return;
          request.headers.authorization = `Bearer ${renewSignature(bearer, secret, previousSecret)}`;
        });
        scope.addHook('onRequest', async (request, reply) => {
          reply.headers({
            'cache-control': 'no-store',
            vary: 'Origin',
            // Pages state their own; nothing else is a document. The provider may stand without the shop's app around it.
            'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
            'x-content-type-options': 'nosniff',
            // A stricter one from outside this scope would cut the popup off from the page that opened it.
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
        tellBeforeAnswering(scope, provider.logout);
        if (options.rateLimit === true) limitAttempts(scope, provider.store, provider.clients);
        provider.passwordHashing.identifyClients(scope);
        logAttempts(scope, provider.store);
        const desk = createDesk(provider, options.origin);
        await scope.register(routes({ provider, desk, options, pages }));
        await scope.register(accountRoutes(provider, desk));
        await scope.register(factorRoutes(provider, desk));
      },
      { prefix: BASE_PATH },
    );
  };
}
