import type { FastifyInstance } from 'fastify';
import { hasMultipleHosts, isOwnHost } from '#contract/platform/hosts.ts';

/**
 * Rejects requests whose Host header does not name this machine. Prevents DNS rebinding: a page of a domain that resolves
 * to this machine must not read emails and payments.
 * @param names further allowed host names, such as the shop's
 */
export function refuseOtherHosts(app: FastifyInstance, names: readonly string[] = []): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, rawHeaders, socket } = request.raw;
    if (hasMultipleHosts(rawHeaders)) {
      reply.code(400).type('text/plain').send('The request names two hosts.\n');
    } else if (!isOwnHost(headers.host, names, socket.localAddress)) {
      reply.code(421).type('text/plain').send('This address belongs to another host.\n');
    } else {
      done();
    }
  });
}
