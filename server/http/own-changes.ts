import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const COOKIE = 'recent_change';

/** Longer than any notification takes. While a process receives none, it keeps no responses. */
const SECONDS = 10;

/**
 * Shows people their own changes, also when another process answers their next request. The process that made a change knows
 * of it before it answers; another one may have yet to receive the notification. So an answer to a change sets a cookie that
 * names its process, and any other process receives the notifications on their way before it answers a request with it.
 * @param options.origin the public origin
 * @param options.waitForInvalidation resolves when the changes committed before have been received
 */
export function showOwnChanges(
  app: FastifyInstance,
  { origin, waitForInvalidation }: { origin: string; waitForInvalidation: () => Promise<void> },
): void {
  const value = `${COOKIE}=${randomBytes(9).toString('base64url')}`;
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  const cookie = `${value}; Max-Age=${SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;

  app.addHook('onRequest', (request, _reply, done) => {
    const { cookie: sent } = request.headers;
    if (sent === undefined || !sent.includes(`${COOKIE}=`) || sent.includes(value)) return done();
    waitForInvalidation().then(() => done(), done);
  });

  app.addHook('onSend', (request, reply, _payload, done) => {
    const isChange = request.method !== 'GET' && request.method !== 'HEAD' && request.url.startsWith('/api/');
    if (isChange && reply.statusCode < 300) reply.header('set-cookie', cookie);
    done();
  });
}
