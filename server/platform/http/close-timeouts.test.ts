import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { enforceCloseTimeouts } from './close-timeouts.ts';

/** An app that is closed while requests are under way. @param limits of its closing, in milliseconds */
async function closing(limits: Parameters<typeof enforceCloseTimeouts>[1]) {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  app.decorateReply('refusalCode', null);
  const signal = enforceCloseTimeouts(app, limits);
  const arrived = Promise.withResolvers<void>();
  app.get('/never', () => {
    arrived.resolve();
    return new Promise(() => undefined);
  });
  app.get('/service', async () => {
    arrived.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return { told: 'in its own words' };
  });
  app.addContentTypeParser('*', (_request, body, done) => {
    body.once('data', () => arrived.resolve());
    body.on('end', () => done(null));
  });
  app.post('/upload', async () => ({}));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    signal,
    origin,
    arrived: arrived.promise,
    ask: async (path: string) => {
      const response = fetch(origin + path);
      await arrived.promise;
      return { answer: response.then(async (one) => ({ status: one.status, body: await one.json() })) };
    },
  };
}

test('an unanswered request gets 503 on closing, and the app closes', async () => {
  const { app, ask } = await closing({ services: 10, answers: 20, connections: 60_000 });
  const { answer } = await ask('/never');
  const closed = app.close();
  await expect(answer).resolves.toMatchObject({
    status: 503,
    body: { code: 'not_ready', detail: expect.stringContaining('restarting') },
  });
  await closed;
});

// Otherwise it would end with the keep-alive, after 72 s.
test('an upload that never ends gets 503 on closing, and the app closes', { timeout: 20_000 }, async () => {
  const { app, origin, arrived } = await closing({ services: 10, answers: 20, connections: 200 });
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /upload HTTP/1.1\r\nHost: shop\r\nContent-Type: image/webp\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n',
  );
  await arrived;
  const answer = text(socket);
  await app.close();
  expect(await answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*"not_ready"/);
});

test('a request that waits for another service is aborted and responds itself', async () => {
  const { app, signal, ask } = await closing({ services: 10, answers: 60_000, connections: 60_000 });
  const { answer } = await ask('/service');
  expect(signal.aborted).toBe(false);
  const closed = app.close();
  await expect(answer).resolves.toMatchObject({ status: 200, body: { told: 'in its own words' } });
  await closed;
});

test('an app without open requests closes immediately', async () => {
  const { app, signal } = await closing({ services: 60_000, answers: 60_000, connections: 60_000 });
  await app.close();
  expect(signal.aborted).toBe(true);
});
