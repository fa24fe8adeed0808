import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOwnHost } from '#contract/platform/hosts.ts';
import { bearer, isSameSecret } from '#server/platform/http/guard.ts';
import { sendProblem } from '#server/platform/http/problems.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Readiness } from './readiness.ts';

/** Access to the metrics: by bearer token; without a configured token, from this machine if no proxy is in front. */
export interface MetricsAccess {
  token: string | null;
  /** Whether requests from this machine are allowed. False behind a proxy on the same machine. */
  loopback: boolean;
}

export interface OperationsOptions {
  metrics: Metrics;
  readiness: Readiness;
  metricsAccess: MetricsAccess;
  /** Traces the requests of an app; null when traces are off. */
  traceRequests: ((app: FastifyInstance) => void) | null;
}

const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Headers that proxies add. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

/**
 * Enforces the access to the metrics.
 * @param hostName the host name of the shop's public origin
 * @throws Refusal
 */
function authorizeMetrics(
  request: FastifyRequest,
  { token, loopback }: MetricsAccess,
  hostName: string,
): void {
  if (token !== null) {
    if (isSameSecret(bearer(request) ?? '', token)) return;
    throw new Refusal('not_signed_in', 'The metrics of this shop need the token of METRICS_TOKEN.');
  }
  const { remoteAddress = '', localAddress } = request.socket;
  const isLocalRequest =
    loopback &&
    loopbackAddresses.has(remoteAddress) &&
    // Prevents DNS rebinding by pages in a browser on this machine. Not needed with a token: pages do not have it.
    isOwnHost(request.headers.host, [hostName], localAddress) &&
    proxyHeaders.every((name) => request.headers[name] === undefined);
  if (!isLocalRequest) throw new Refusal('not_found', 'There is nothing here by that name.');
}

/**
 * Routes for operators: `/healthz` (the process runs), `/readyz` (it can take requests) and `/metrics`.
 * @param hostName the host name of the shop's public origin
 */
export function operationsRoutes(app: FastifyInstance, options: OperationsOptions, hostName: string): void {
  const { metrics, readiness, metricsAccess } = options;

  // Proxies ask several times a second, so successful checks are not logged.
  const quiet = { logLevel: 'warn' } as const;

  app.get('/healthz', quiet, async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send('alive\n'),
  );

  app.get('/readyz', quiet, async (_request, reply) => {
    const problem = await readiness.findProblem();
    if (problem !== null) return sendProblem(reply, new Refusal('not_ready', problem));
    return reply.header('cache-control', 'no-store').type('text/plain').send('ready\n');
  });

  app.get('/metrics', async (request, reply) => {
    authorizeMetrics(request, metricsAccess, hostName);
    const { type, text } = await metrics.serialize().catch((error: unknown) => {
      app.log.error({ err: error }, 'the metrics cannot be read');
      throw new Refusal('not_ready', 'A process of this shop does not report its metrics.');
    });
    return reply.header('cache-control', 'no-store').type(type).send(text);
  });
}
