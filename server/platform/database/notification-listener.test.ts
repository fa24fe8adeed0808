import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { listenForNotifications, PROCESS_NAME } from './notification-listener.ts';

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
  };
  const heartbeat = { intervalMs: 20, timeoutMs: 2_000 };
  const listener = listenForNotifications(proxy.url, (sentence) => events.push(sentence), heartbeat);
  listener.subscribe('things', handlers);
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
  const listener = listenForNotifications(database.url, connected.reject);
  listener.subscribe('things', {
    onConnect: connected.resolve,
    onNotification: (payload) => received.push(payload),
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

test('serves several channels and subscribers by one connection', async () => {
  // Without the connections of other tests.
  const ownDatabase = await createTestDatabase({ template: 'template0' });
  const client = new pg.Client({ connectionString: ownDatabase.url });
  await client.connect();
  const events: string[] = [];
  const listener = listenForNotifications(ownDatabase.url, (sentence) => events.push(sentence));
  const subscribe = async (channel: string, name: string) => {
    const connected = Promise.withResolvers<void>();
    const unsubscribe = listener.subscribe(channel, {
      onConnect: connected.resolve,
      onNotification: (payload) => events.push(`${name} ${payload}`),
    });
    await connected.promise;
    return unsubscribe;
  };
  const notifyAll = async (payload: string) => {
    await client.query(`notify things, '${payload}'; notify people, '${payload}'`);
    await listener.received();
    return events.splice(0);
  };
  try {
    await Promise.all([subscribe('things', 'first'), subscribe('people', 'other')]);
    // The connection receives notifications already.
    const unsubscribe = await subscribe('things', 'second');
    expect(await notifyAll('1')).toEqual(['first 1', 'second 1', 'other 1']);
    unsubscribe();
    expect(await notifyAll('2')).toEqual(['first 2', 'other 2']);
    const { rows } = await client.query(
      'select from pg_stat_activity where application_name = $1 and datname = current_database()',
      [PROCESS_NAME],
    );
    expect(rows).toHaveLength(1);
  } finally {
    await listener.stop();
    await client.end();
    await ownDatabase.drop();
  }
});
