import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { showOwnChanges } from './own-changes.ts';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

/** A process that answers each request at the time at which it reads. */
function startProcess({ origin = 'https://shop.example' } = {}) {
  const app = fastify();
  apps.push(app);
  const received = Promise.withResolvers<void>();
  let hasReceived = false;
  let waits = 0;
  showOwnChanges(app, {
    origin,
    waitForInvalidation: () => {
      waits += 1;
      return received.promise;
    },
  });
  app.get('/api/laptops', () => ({ hasReceived }));
  app.post('/api/laptops', () => ({}));
  app.post('/api/refused', (_request, reply) => reply.code(409).send({}));
  app.post('/webhooks/stripe', () => ({}));
  return {
    app,
    waits: () => waits,
    receive: () => {
      hasReceived = true;
      received.resolve();
    },
    read: async (cookie?: string) =>
      (await app.inject({ url: '/api/laptops', headers: cookie === undefined ? {} : { cookie } })).json(),
  };
}

/** Makes a change. @returns the cookie as a browser sends it */
async function change(process: ReturnType<typeof startProcess>): Promise<string> {
  const answer = await process.app.inject({ method: 'POST', url: '/api/laptops' });
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}

test('a request after a change waits in another process until this has been notified', async () => {
  const [first, second] = [startProcess(), startProcess()];
  const cookie = await change(first);
  const read = second.read(`other=1; ${cookie}`);
  // Requests of others are answered meanwhile.
  expect(await second.read()).toEqual({ hasReceived: false });
  second.receive();
  expect(await read).toEqual({ hasReceived: true });
});

test('the process that made the change has been notified before, and waits no more', async () => {
  const process = startProcess();
  await process.read(await change(process));
  await process.read('other=1');
  expect(process.waits()).toBe(0);
});

test('the cookie is short-lived, for the server only, and set after changes only', async () => {
  const { app } = startProcess();
  const cookieOf = async (method: 'GET' | 'POST', url: string) =>
    (await app.inject({ method, url })).headers['set-cookie'];
  expect(await cookieOf('POST', '/api/laptops')).toMatch(
    /^recent_change=[\w-]{12}; Max-Age=10; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(await cookieOf('GET', '/api/laptops')).toBeUndefined();
  expect(await cookieOf('POST', '/api/refused')).toBeUndefined();
  expect(await cookieOf('POST', '/webhooks/stripe')).toBeUndefined();
});

test('a shop without https sets a cookie that its browser keeps', async () => {
  const { app } = startProcess({ origin: 'http://localhost:3000' });
  const answer = await app.inject({ method: 'POST', url: '/api/laptops' });
  expect(answer.headers['set-cookie']).not.toContain('Secure');
});
