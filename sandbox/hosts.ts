import type { FastifyInstance } from 'fastify';
import { hasMultipleHosts, isOwnHost } from '#contract/hosts.ts';

/**
 * Answers only requests to this machine by one of its own names: a page of a domain that points here (DNS rebinding)
 * must read no mails and no payments.
 * @param names further host names under which a browser may ask, such as the shop's
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
