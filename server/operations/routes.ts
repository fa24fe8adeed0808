import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOwnHost } from '#contract/hosts.ts';
import { sendProblem } from '../http/problems.ts';
import { Refusal } from '../http/refusal.ts';
import { isSameSecret } from '../http/secret.ts';
import { bearer } from '../http/serve.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** Who may read the figures: who bears the token; without one, this machine itself where nothing stands in front. */
export interface MetricsAccess {
  token: string | null;
  /** Whether a request from this machine is one that a person or program on it has made. */
  loopback: boolean;
}

export interface OperationsOptions {
  metrics: Metrics;
  readiness: Readiness;
  metricsAccess: MetricsAccess;
}

const ownAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** What proxies leave on a request: it came from somewhere else, whoever handed it on. */
const traces = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

/**
 * @param hostName the shop's own, which a browser on this machine may have asked for
 * @throws Refusal
 */
function admit(request: FastifyRequest, { token, loopback }: MetricsAccess, hostName: string): void {
  if (token !== null) {
    if (isSameSecret(bearer(request) ?? '', token)) return;
    throw new Refusal('not_signed_in', 'The figures of this shop need the token of METRICS_TOKEN.');
  }
  const { remoteAddress = '', localAddress } = request.socket;
  const own =
    loopback &&
    ownAddresses.has(remoteAddress) &&
    // A page in a browser on this machine comes from this machine, too. With a token no host is asked for: a page does
    // not know the token, and a scraper may know this process by any name.
    isOwnHost(request.headers.host, [hostName], localAddress) &&
    traces.every((name) => request.headers[name] === undefined);
  if (!own) throw new Refusal('not_found', 'There is nothing here by that name.');
}

/**
 * What whoever runs the shop asks it: `/healthz` (the process is alive), `/readyz` (it should be sent requests) and
 * `/metrics` (its figures).
 * @param hostName of the shop's public origin
 */
export function operationsRoutes(app: FastifyInstance, options: OperationsOptions, hostName: string): void {
  const { metrics, readiness, metricsAccess } = options;

  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send('alive\n'),
  );

  app.get('/readyz', async (_request, reply) => {
    const objection = await readiness.objection();
    if (objection !== null) return sendProblem(reply, new Refusal('not_ready', objection));
    return reply.header('cache-control', 'no-store').type('text/plain').send('ready\n');
  });

  app.get('/metrics', async (request, reply) => {
    admit(request, metricsAccess, hostName);
    const { type, text } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(type).send(text);
  });
}
