import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { pagePolicy, readStyle } from '../html.ts';
import type { Mailbox, Message } from './mailbox.ts';
import { renderHtmlBody, renderInbox, renderMessage, renderNotFound } from './pages.ts';

/** The longest wait of a request for emails, in milliseconds. */
const LONGEST_WAIT = 10_000;

const InboxQuery = z.object({
  to: z.pipe(
    z.optional(z.string().check(z.trim(), z.maxLength(320, { abort: true }))),
    z.transform((to) => (to === '' ? undefined : to)),
  ),
});
const MessagesQuery = z.object({
  to: z.optional(z.string().check(z.maxLength(320, { abort: true }))),
  atLeast: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(500)), 0),
});
const MessageParameters = z.object({ id: z.coerce.number().check(z.int()) });

const inboxPolicy = pagePolicy("frame-src 'self'", "form-action 'self'");

/** The Content-Security-Policy of an email's HTML: allows inline styles, and no scripts, requests or forms. */
const mailPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** Serves the inbox: pages for people, JSON for tests. */
export async function serveInbox(app: FastifyInstance, mailbox: Mailbox): Promise<void> {
  const style = await readStyle(new URL('./mail.css', import.meta.url));

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': inboxPolicy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  const sendPage = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);
  const sendNotFound = (reply: FastifyReply) => sendPage(reply.code(404), renderNotFound());
  const findRequested = (request: FastifyRequest): Message | undefined => {
    const params = MessageParameters.safeParse(request.params);
    return params.success ? mailbox.find(params.data.id) : undefined;
  };

  app.get('/mail.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));

  app.get('/', (request, reply) => {
    const { to } = InboxQuery.safeParse(request.query).data ?? {};
    return sendPage(reply, renderInbox(mailbox.list(to), to));
  });

  app.get('/messages/:id', (request, reply) => {
    const message = findRequested(request);
    return message === undefined ? sendNotFound(reply) : sendPage(reply, renderMessage(message));
  });

  app.get('/messages/:id/html', (request, reply) => {
    const html = findRequested(request)?.html ?? null;
    if (html === null) return sendNotFound(reply);
    return sendPage(reply.header('Content-Security-Policy', mailPolicy), renderHtmlBody(html));
  });

  app.get('/messages/:id/source', (request, reply) => {
    const message = findRequested(request);
    const source = message === undefined ? null : mailbox.readSource(message);
    return source === null ? sendNotFound(reply) : reply.type('text/plain; charset=utf-8').send(source);
  });

  // For tests: with `atLeast`, the response waits until this many emails have arrived.
  app.get('/messages.json', async (request, reply) => {
    const query = MessagesQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    const { to, atLeast } = query.data;
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    await mailbox.waitFor(
      atLeast,
      to,
      AbortSignal.any([disconnected.signal, AbortSignal.timeout(LONGEST_WAIT)]),
    );
    return mailbox.list(to);
  });

  app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
}
