import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/**
 * What a request asked for, as the route's template: addresses hold e-mail addresses and the image host's key. The
 * built files of the pages, a route each, count as one.
 */
function templateOf(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  if (url === undefined) return 'unknown';
  return url.startsWith('/assets/') ? '/assets/*' : url;
}

/** The levels at which a line per request is written. */
const written = new Set(['trace', 'debug', 'info']);

/**
 * Gives every answer its request's id, and writes each request down: a line in the log, and the figures. The same id
 * stands in problem documents and in whatever the log says about the request.
 */
export function observeRequests(
  app: FastifyInstance,
  { metrics, readiness }: { metrics: Metrics; readiness: Readiness },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Whoever keeps this connection open for the next request should make that one elsewhere.
    if (readiness.draining) reply.header('connection', 'close');
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = templateOf(request);
    const { statusCode: status, refusalCode } = reply;
    const milliseconds = reply.elapsedTime;
    metrics.requestAnswered({ method, route, status, seconds: milliseconds / 1000 });
    if (refusalCode !== null) metrics.callRefused(route, refusalCode);
    // Not even made where nobody reads it: this is on the way of every answer.
    if (written.has(request.log.level)) {
      request.log.info(
        {
          method,
          route,
          status,
          milliseconds: Math.round(milliseconds * 10) / 10,
          ...(refusalCode !== null && { code: refusalCode }),
        },
        'request',
      );
    }
    done();
  });
}
