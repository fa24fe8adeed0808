import { Pool } from 'pg';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '#tests/harness/postgres.ts';
import { createNotifyWorkers, wakeWorkers } from './wake-ups.ts';

test('job types within 50 ms after a notification share the next one', async () => {
  const sent: { jobTypes: unknown; at: number }[] = [];
  const answer = Promise.withResolvers<void>();
  const notifyWorkers = createNotifyWorkers(
    (_text, [jobTypes]) => {
      sent.push({ jobTypes, at: performance.now() });
      return answer.promise;
    },
    () => undefined,
  );
  for (const name of ['first', 'second', 'second']) notifyWorkers(name);
  expect(sent.map(({ jobTypes }) => jobTypes)).toEqual([['first']]);
  const answered = performance.now();
  answer.resolve();
  await answer.promise;
  notifyWorkers('third');
  await vi.waitFor(() => expect(sent).toHaveLength(2), 60_000);
  expect(sent[1]?.jobTypes).toEqual(['second', 'third']);
  // Timers may fire a fraction of a millisecond early.
  expect((sent[1]?.at ?? 0) - answered).toBeGreaterThanOrEqual(49);
});

test('a notification that fails is reported, and the next one is sent', async () => {
  const failure = new Error('The database is away.');
  const execute = vi.fn(async () => undefined);
  const failed = Promise.withResolvers<unknown>();
  execute.mockRejectedValueOnce(failure);
  const notifyWorkers = createNotifyWorkers(execute, failed.resolve);
  notifyWorkers('first');
  expect(await failed.promise).toBe(failure);
  notifyWorkers('second');
  await vi.waitFor(() => expect(execute).toHaveBeenLastCalledWith(expect.any(String), [['second']]), 60_000);
});

test('a process hears which job types have new jobs, and wakes all its workers when it begins to listen', async () => {
  const database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url });
  const woken: string[] = [];
  const workers = new Map([
    ['email', 'worker of email'],
    ['photo', 'worker of photo'],
  ]);
  const listener = wakeWorkers(
    database.url,
    { workers, wake: (worker) => woken.push(worker) },
    () => undefined,
  );
  try {
    await vi.waitFor(() => expect(woken).toEqual(['worker of email', 'worker of photo']), 60_000);
    const notifyWorkers = createNotifyWorkers((text, values) => pool.query(text, values), console.error);
    notifyWorkers('of another version');
    notifyWorkers('photo');
    await vi.waitFor(() => expect(woken.slice(2)).toEqual(['worker of photo']), 60_000);
  } finally {
    await Promise.all([listener.stop(), pool.end()]);
    await database.drop();
  }
});
