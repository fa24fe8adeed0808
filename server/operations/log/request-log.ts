import type { FastifyInstance } from 'fastify';
import { isEventStream, routeTemplate } from '#server/platform/http/request-facts.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Readiness } from '../readiness/readiness.ts';

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
