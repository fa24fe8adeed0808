import type { FastifyInstance } from 'fastify';

/** The maximum body of a call, in bytes. Photo uploads have their own limit. */
export const MAXIMUM_BODY_BYTES = 1024 * 1024;

/**
 * Accepts JSON bodies only. An empty body counts as none, because clients often send a content type without a body. Keys
 * that would modify prototypes are rejected.
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
