import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';
import type { Readiness } from '../readiness/readiness.ts';

/**
 * Returns the route template of a request. URLs are not logged: they contain e-mail addresses and the image host's key.
 * Built assets, which have one route each, share a template.
 */
export function routeTemplate(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  if (url === undefined) return 'unknown';
  return url.startsWith('/assets/') ? '/assets/*' : url;
}

/** The content type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** Whether a response is a stream of events. It lasts as long as its reader wants, so its duration is not the shop's. */
export const isEventStream = (reply: FastifyReply): boolean =>
  reply.getHeader('content-type') === EVENT_STREAM;

/** The log levels that include a line for each request. */
const requestLogLevels = new Set(['trace', 'debug', 'info']);

/**
 * Logs and measures each request, and adds its id to the response. Problem documents and log lines contain the same id.
 * Streams of events are counted by a metric of their own.
 */
export function observeRequests(
  app: FastifyInstance,
  { metrics, readiness }: { metrics: Metrics; readiness: Readiness },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // The client must send its next request to another process.
    if (readiness.isDraining) reply.header('connection', 'close');
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    if (isEventStream(reply)) return done();
    const { method } = request;
    const route = routeTemplate(request);
    const { statusCode: status, refusalCode } = reply;
    const milliseconds = reply.elapsedTime;
    metrics.recordRequest({ method, route, status }, milliseconds / 1000);
    if (refusalCode !== null) metrics.recordRefusal(route, refusalCode);
    // Checked first, because this runs for every response.
    if (requestLogLevels.has(request.log.level)) {
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
