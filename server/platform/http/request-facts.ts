import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Returns the route template of a request. URLs are not logged: they contain email addresses and the image host's key.
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
