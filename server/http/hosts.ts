import type { FastifyInstance } from 'fastify';
import { hasMultipleHosts } from '#contract/hosts.ts';
import { Refusal } from './refusal.ts';

/** Rejects requests with two Host headers: a proxy in front may have used the other one. */
export function rejectMultipleHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasMultipleHosts(request.raw.rawHeaders)) return done();
    done(new Refusal('malformed_request', 'The request names two hosts, so nothing was done.'));
  });
}
