import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStreams, type Streams } from './streams.ts';

const EVERYTHING = 'event: change\ndata: {"about":"everything"}\n\n';

const owner = (userId: string) => ({ userId, sessionId: null, expiresAt: Date.now() / 1000 + 3600 });

const connection = () => ({ writableLength: 0, destroy: vi.fn() });

let streams: Streams;
afterEach(() => streams.stop());

test('a process with its most streams opens no further one until one closes', () => {
  streams = createStreams({ maximum: 2 });
  streams.open(owner('1'), connection());
  streams.open(owner('2'), connection());
  expect(streams.open(owner('3'), connection())).toBeNull();
  streams.closeWhere(({ userId }) => userId === '1');
  expect(streams.open(owner('3'), connection())).not.toBeNull();
  expect(streams.count()).toBe(2);
});

test('a person’s own oldest stream makes way in a process with its most streams', () => {
  streams = createStreams({ maximum: 10 });
  for (let number = 0; number < 11; number += 1) {
    expect(streams.open(owner('1'), connection())).not.toBeNull();
  }
  expect(streams.count()).toBe(10);
});

test('a stream without events gets comments', async () => {
  streams = createStreams({ heartbeatMs: 20, tickMs: 5 });
  const events = streams.open(owner('1'), connection());
  let text = '';
  events?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await expect.poll(() => text).toContain(`${EVERYTHING}:\n\n:\n\n`);
});

test('all streams close at the end', async () => {
  streams = createStreams();
  const events = streams.open(owner('1'), connection());
  streams.stop();
  expect(await events?.toArray()).toEqual([Buffer.from(EVERYTHING)]);
  expect(streams.count()).toBe(0);
});

test('a stream is closed when more than 16 kB of it are unread', () => {
  streams = createStreams();
  const slow = connection();
  streams.open(owner('1'), slow);
  const event = 'event: change\ndata: {"about":"messages","id":"1"}\n\n';
  const fitting = Math.floor((16 * 1024 - EVERYTHING.length) / event.length);
  for (let number = 0; number < fitting; number += 1) streams.send('1', { about: 'messages', id: '1' });
  expect(slow.destroy).not.toHaveBeenCalled();
  streams.send('1', { about: 'messages', id: '1' });
  expect(slow.destroy).toHaveBeenCalledOnce();
  expect(streams.count()).toBe(0);
});

let server: Server;
beforeEach(async () => {
  server = createServer((_request, response) => {
    streams.open(owner('1'), response)?.pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

test('a client that does not read is disconnected before much is kept for it', async () => {
  streams = createStreams();
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: shop\r\n\r\n');
  await expect.poll(() => streams.count()).toBe(1);
  const id = 'x'.repeat(1_000);
  let sent = 0;
  while (streams.count() > 0 && sent < 50_000) {
    streams.send('1', { about: 'messages', id });
    sent += 1;
    // Lets the system take what its buffers hold.
    await setImmediate();
  }
  expect(streams.count()).toBe(0);
  socket.destroy();
});
