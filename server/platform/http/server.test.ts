import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { portOf } from '#tests/harness/platform/ports.ts';
import { addSecurityHeaders, createServer } from './server.ts';

test('a request has its address also when its client has left', async () => {
  const app = createServer({
    logger: pino({ enabled: false }),
    trustProxy: 0,
    origin: 'https://shop.example',
  });
  const address = Promise.withResolvers<string>();
  app.get('/', async (request) => {
    request.raw.socket.once('close', () => address.resolve(request.ip));
    client.resetAndDestroy();
    return address.promise;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = connect(portOf(app.server), '127.0.0.1');
  try {
    await once(client, 'connect');
    client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await address.promise).toBe('127.0.0.1');
  } finally {
    client.destroy();
    await app.close();
  }
});

test('a malformed URL of the API is refused with the headers of other refusals', async () => {
  const app = createServer({
    logger: pino({ enabled: false }),
    trustProxy: 0,
    origin: 'https://shop.example',
  });
  addSecurityHeaders(app, 'https://shop.example');
  const [malformed, unknown] = [await app.inject('/api/%E0'), await app.inject('/api/nothing')];
  expect([malformed.statusCode, unknown.statusCode]).toEqual([400, 404]);
  for (const name of [
    'content-security-policy',
    'strict-transport-security',
    'x-content-type-options',
    'referrer-policy',
    'cache-control',
    'content-type',
  ]) {
    expect(unknown.headers[name], name).toBeDefined();
    expect(malformed.headers[name], name).toBe(unknown.headers[name]);
  }
  await app.close();
});

test('a client that disconnects while it sends a body is no failure of the server', async () => {
  const lines: string[] = [];
  const app = createServer({
    logger: pino({ level: 'error' }, { write: (line) => void lines.push(line) }),
    trustProxy: 0,
    origin: 'https://shop.example',
  });
  const status = Promise.withResolvers<number>();
  app.addHook('onSend', async (_request, reply) => status.resolve(reply.statusCode));
  app.post('/', async () => 'received');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = connect(portOf(app.server), '127.0.0.1');
  try {
    await once(client, 'connect');
    app.server.once('request', () => client.resetAndDestroy());
    client.write(
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a"',
    );
    expect(await status.promise).toBe(400);
    expect(lines).toEqual([]);
  } finally {
    client.destroy();
    await app.close();
  }
});
