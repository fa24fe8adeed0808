import type { FastifyInstance } from 'fastify';

/** Adds security headers to every response. Pages set their own Content-Security-Policy. @param origin the public origin */
export function addSecurityHeaders(app: FastifyInstance, origin: string): void {
  // A callback, because a promise would delay every response by a turn of the event loop.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    if (!reply.hasHeader('content-security-policy')) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    }
    if (origin.startsWith('https:')) {
      reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    }
    done();
  });
}
