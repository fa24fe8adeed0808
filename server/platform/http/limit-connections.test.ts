import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { portOf } from '#tests/harness/platform/ports.ts';
import { limitConnections } from './limit-connections.ts';
import { createServer } from './server.ts';

let app: FastifyInstance;
let clients: Socket[];

beforeEach(() => {
  clients = [];
  app = createServer({ logger: pino({ enabled: false }), trustProxy: 0, origin: 'https://shop.example' });
  app.get('/', () => 'here');
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await app.close();
});

/** Opens a connection, which may be closed at once. */
function open(): Socket {
  const client = connect(portOf(app.server), '127.0.0.1');
  client.on('error', () => undefined);
  client.resume();
  clients.push(client);
  return client;
}

/** Opens silent connections. @returns how many the server keeps */
async function kept(count: number): Promise<number> {
  const ended = Promise.withResolvers<void>();
  let closed = 0;
  for (let at = 0; at < count; at += 1) {
    const client = open();
    client.once('close', () => {
      closed += 1;
      if (closed === count - 20) ended.resolve();
    });
    await once(client, 'connect');
  }
  await ended.promise;
  const { promise, resolve } = Promise.withResolvers<number>();
  app.server.getConnections((_error, open) => resolve(open));
  return promise;
}

const isServed = async () =>
  (await fetch(`http://127.0.0.1:${portOf(app.server)}/`).catch(() => null))?.status === 200;

test('one address has a bounded number of silent connections; others are served', async () => {
  limitConnections(app.server, { perAddress: 20 });
  await app.listen({ host: '0.0.0.0', port: 0 });
  expect(await kept(60)).toBe(20);
  expect(await isServed()).toBe(false);
  const other = connect({ port: portOf(app.server), host: '127.0.0.1', localAddress: '127.0.0.2' });
  clients.push(other);
  other.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  // One that ends makes room.
  const ended = clients.find(({ destroyed }) => !destroyed);
  ended?.destroy();
  await expect.poll(() => isServed()).toBe(true);
});

test('all addresses together have a bounded number', async () => {
  limitConnections(app.server, { total: 20, perAddress: null });
  await app.listen({ host: '127.0.0.1', port: 0 });
  expect(await kept(60)).toBe(20);
});

test('a connection that says nothing, or half of its headers, is closed', async () => {
  expect(app.server.headersTimeout).toBe(15_000);
  Object.assign(app.server, { headersTimeout: 50, connectionsCheckingInterval: 20 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const [silent, half] = [open(), open()];
  half.write('GET / HTTP/1.1\r\nhost: local');
  await Promise.all([once(silent, 'close'), once(half, 'close')]);
});
