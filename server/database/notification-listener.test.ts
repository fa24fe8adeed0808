import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/tcp-proxy.ts';
import { listenForNotifications } from './notification-listener.ts';

let database: TestDatabase;
let proxy: TcpProxy;

beforeAll(async () => {
  database = await createTestDatabase({ template: 'template0' });
  proxy = await startTcpProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

async function notify(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('notify things');
  await client.end();
}

test('replaces a connection that a network has dropped silently', async () => {
  const events: string[] = [];
  const handlers = {
    onConnect: () => events.push('connect'),
    onNotification: (payload: string) => events.push(`notification ${payload}`),
    onDisconnect: () => events.push('disconnect'),
    onDeaf: (sentence: string) => events.push(sentence),
  };
  const heartbeat = { intervalMs: 20, timeoutMs: 2_000 };
  const listener = listenForNotifications(proxy.url, 'things', handlers, { heartbeat });
  try {
    await expect.poll(() => events.at(-1)).toBe('connect');
    const before = events.length;
    proxy.stall();
    await expect.poll(() => events.slice(before)).toContain('disconnect');
    await expect.poll(() => events.at(-1)).toBe('connect');
    const again = events.length;
    await notify();
    await expect.poll(() => events.slice(again)).toContain('notification ');
  } finally {
    await listener.stop();
  }
});

test('has handled the notification of a commit when a later round trip ends', async () => {
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  const received: string[] = [];
  const connected = Promise.withResolvers<void>();
  const listener = listenForNotifications(database.url, 'things', {
    onConnect: connected.resolve,
    onNotification: (payload) => received.push(payload),
    onDisconnect: () => undefined,
    onDeaf: () => undefined,
  });
  try {
    await connected.promise;
    for (let commit = 0; commit < 500; commit += 1) {
      await writer.query(`notify things, '${commit}'`);
      await listener.received();
      expect(received.at(-1)).toBe(String(commit));
    }
    const waits: Promise<boolean>[] = [];
    for (let commit = 0; commit < 50; commit += 1) {
      await writer.query(`notify things, 'at ${commit}'`);
      waits.push(listener.received().then(() => received.includes(`at ${commit}`)));
    }
    expect(await Promise.all(waits)).not.toContain(false);
  } finally {
    await listener.stop();
    await writer.end();
  }
});
