import type { FastifyInstance } from 'fastify';

/** The largest body of a call, in bytes; photos have a limit of their own. */
export const MAXIMUM_BODY_BYTES = 1024 * 1024;

/**
 * JSON and nothing else as body. An empty one counts as none, because browsers' code often names the type of a body
 * that it does not send. Keys that would reach into prototypes are refused.
 */
export function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(
    ['application/json', 'application/problem+json'],
    { parseAs: 'string', bodyLimit: MAXIMUM_BODY_BYTES },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else parse(request, body, done);
    },
  );
}
