import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { portOf } from '#tests/harness/ports.ts';
import { createServer } from './server.ts';

test('a request has its address also when its client has left', async () => {
  const app = createServer({ logger: pino({ enabled: false }), trustProxy: 0 });
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
