import type { FastifyInstance } from 'fastify';
import { UNSUBSCRIBE_PATH } from '#contract/listings/subscriptions.ts';
import type { UnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { sendProblem } from '#server/platform/http/problems.ts';
import { unknownLink, unsubscribe } from './actions.ts';

/** The maximum body in bytes. A mail program sends `List-Unsubscribe=One-Click`. */
const MAXIMUM_BODY_BYTES = 4 * 1024;

/** Whether the form of the unsubscribe page was sent, by a browser that shows the answer. */
function isSentByPage(body: unknown): boolean {
  return body instanceof URLSearchParams && body.get('page') === 'yes';
}

/**
 * `POST /unsubscribe/:token` of RFC 8058. Mail programs send it without cookies, sign-in or origin, and follow no redirect: the
 * signed token alone decides. GET shows a page with a button, because mail scanners open links.
 */
export async function unsubscribeRoute(
  app: FastifyInstance,
  { database, links }: { database: Database; links: UnsubscribeLinks },
): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAXIMUM_BODY_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  // The token is enough: the RFC allows multipart/form-data as well, and nothing is read from it.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAXIMUM_BODY_BYTES },
    (_request, _body, done) => done(null, undefined),
  );
  app.post<{ Params: { token: string } }>(`${UNSUBSCRIBE_PATH}/:token`, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { token } = request.params;
    const subscription = links.read(token);
    if (subscription === null) return sendProblem(reply, unknownLink());
    await unsubscribe(database, subscription);
    if (isSentByPage(request.body)) return reply.redirect(`${UNSUBSCRIBE_PATH}/${token}`, 303);
    return reply.type('text/plain; charset=utf-8').send('These emails were stopped.\n');
  });
}
