import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { connect } from '#server/platform/database/connect.ts';
import { listenForNotifications } from '#server/platform/database/notification-listener.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { startTcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { createQueue, handle, job, migrateQueue } from './queue.ts';
import { createWork } from './work.ts';

const greet = job('greet', z.object({ name: z.string() }));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a process that runs no jobs enqueues them for one that does', async () => {
  const connection = connect(database.url, () => undefined);
  const onError = vi.fn();
  const enqueuing = createQueue(database.url, onError, { runsJobs: false });
  const working = createQueue(database.url, onError);
  const greeted = Promise.withResolvers<string>();
  const never = vi.fn();
  try {
    await enqueuing.start([handle(greet, never)]);
    await connection.database
      .transaction()
      .execute((transaction) => enqueuing.enqueue(transaction, greet, { name: 'Bea' }));
    await working.start([handle(greet, ({ name }) => greeted.resolve(name))]);
    expect(await greeted.promise).toBe('Bea');
    expect(never).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  } finally {
    await Promise.all([enqueuing.stop(), working.stop(), connection.close()]);
  }
});

test('a job is committed with its rows or not at all', async () => {
  const connection = connect(database.url, () => undefined);
  const queue = createQueue(database.url, () => undefined, { runsJobs: false });
  const jobsOf = async (name: string) => {
    const { rows } = await connection.pool.query("select from pgboss.job where data->>'name' = $1", [name]);
    return rows.length;
  };
  try {
    await queue.start([handle(greet, () => undefined)]);
    const enqueue = (name: string, fails: boolean) =>
      connection.database.transaction().execute(async (transaction) => {
        await queue.enqueue(transaction, greet, { name });
        expect(await jobsOf(name)).toBe(0);
        if (fails) throw new Error('a rule failed');
      });
    await expect(enqueue('Fay', true)).rejects.toThrow('a rule failed');
    expect(await jobsOf('Fay')).toBe(0);
    await enqueue('Cid', false);
    expect(await jobsOf('Cid')).toBe(1);
  } finally {
    await Promise.all([queue.stop(), connection.close()]);
  }
});

test('a worker is woken by the commit of a job, at another process, too', async () => {
  const connection = connect(database.url, () => undefined);
  const notifications = listenForNotifications(database.url, () => undefined);
  const enqueuing = createQueue(database.url, () => undefined, { runsJobs: false });
  // Polling does not find the jobs within this test.
  const working = createQueue(database.url, () => undefined, { notifications, pollingSeconds: 600 });
  const greeted: string[] = [];
  const greetAll = [handle(greet, ({ name }) => greeted.push(name))];
  try {
    await enqueuing.start(greetAll);
    await working.start(greetAll);
    // PostgreSQL has begun to notify this connection of jobs when it notifies of a later channel.
    const connected = Promise.withResolvers<void>();
    notifications.subscribe('later', { onConnect: connected.resolve, onNotification: () => undefined });
    await connected.promise;
    for (const [name, queue] of [
      ['Dot', working],
      ['Eve', enqueuing],
    ] as const) {
      await connection.database
        .transaction()
        .execute((transaction) => queue.enqueue(transaction, greet, { name }));
      await vi.waitFor(() => expect(greeted).toContain(name), 60_000);
    }
  } finally {
    await Promise.all([enqueuing.stop(), working.stop(), connection.close()]);
    await notifications.stop();
  }
});

test('a job whose process was killed runs again', async () => {
  const connection = connect(database.url, () => undefined);
  const onError = vi.fn();
  const enqueuing = createQueue(database.url, onError, { runsJobs: false });
  const working = createQueue(database.url, onError, { superviseSeconds: 1 });
  const greeted = Promise.withResolvers<string>();
  try {
    await enqueuing.start([]);
    await connection.database
      .transaction()
      .execute((transaction) => enqueuing.enqueue(transaction, greet, { name: 'Kit' }));
    const { rowCount } = await connection.pool.query(`
      update pgboss.job set state = 'active', started_on = now() - interval '1 hour', heartbeat_on = now() - interval '1 hour'
       where data->>'name' = 'Kit'`);
    expect(rowCount).toBe(1);
    await working.start([handle(greet, ({ name }) => greeted.resolve(name))]);
    expect(await greeted.promise).toBe('Kit');
    expect(onError).not.toHaveBeenCalled();
  } finally {
    await Promise.all([enqueuing.stop(), working.stop(), connection.close()]);
  }
});

test('jobs run again after the network has silently stopped', async () => {
  const connection = connect(database.url, () => undefined);
  const network = await startTcpProxy(database.url);
  const queue = createQueue(network.url, () => undefined, { queryTimeoutMs: 500 });
  const greeted: string[] = [];
  const greetLater = (name: string) =>
    connection.database.transaction().execute((transaction) => queue.enqueue(transaction, greet, { name }));
  try {
    await queue.start([handle(greet, ({ name }) => greeted.push(name))]);
    await greetLater('Ann');
    await vi.waitFor(() => expect(greeted).toContain('Ann'), 60_000);
    network.stall();
    await greetLater('Bob');
    await vi.waitFor(() => expect(greeted).toContain('Bob'), 60_000);
  } finally {
    // Connections on which nothing arrives any more do not end by themselves.
    network.disconnect();
    await Promise.all([queue.stop(), connection.close()]);
    await network.close();
  }
});

test('a queue that cannot be migrated leaves nothing running', async () => {
  const connection = connect(database.url, () => undefined);
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  try {
    await migrateQueue(database.url);
    await connection.pool.query('alter table pgboss.queue add constraint as_it_is check (false) not valid');
    const before = timers();
    await expect(migrateQueue(database.url)).rejects.toThrow('as_it_is');
    expect(timers()).toBeLessThanOrEqual(before);
  } finally {
    await connection.pool.query('alter table pgboss.queue drop constraint if exists as_it_is');
    await connection.close();
  }
});

test('a queue of an earlier version gets the time that its jobs have now', async () => {
  const connection = connect(database.url, () => undefined);
  const seconds = async () =>
    (await connection.pool.query(`select expire_seconds from pgboss.queue where name = 'notices'`)).rows;
  try {
    await migrateQueue(database.url);
    await connection.pool.query(`update pgboss.queue set expire_seconds = 60 where name = 'notices'`);
    await migrateQueue(database.url);
    // One of its jobs may send many emails to a slow mail server.
    expect(await seconds()).toEqual([{ expire_seconds: 900 }]);
  } finally {
    await connection.close();
  }
});

test('a process that only serves requests runs no periodic tasks', async () => {
  vi.useFakeTimers();
  try {
    const round = vi.fn(async () => undefined);
    for (const runsTasks of [false, true]) {
      const queue = { start: async () => undefined, stop: async () => undefined };
      const work = createWork(queue, { error: () => undefined, warn: () => undefined });
      work.every(1_000, 'a round failed', round);
      const running = await work.start({ runsTasks });
      await vi.advanceTimersByTimeAsync(1_000);
      expect(round).toHaveBeenCalledTimes(runsTasks ? 1 : 0);
      await running.stop();
    }
  } finally {
    vi.useRealTimers();
  }
});
