import { Pool } from 'pg';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '#tests/harness/postgres.ts';
import { createTell, wakeWorkers } from './wake-ups.ts';

test('what is told soon after a notification goes with the next one', async () => {
  const answers: (() => void)[] = [];
  const execute = vi.fn((_text: string, _values: unknown[]) => {
    const answered = Promise.withResolvers<void>();
    answers.push(answered.resolve);
    return answered.promise;
  });
  const told = () => execute.mock.calls.map(([, values]) => values);
  const tell = createTell(execute, () => undefined);
  for (const name of ['first', 'second', 'third', 'second']) tell(name);
  expect(told()).toEqual([[['first']]]);
  answers.shift()?.();
  await vi.waitFor(() => expect(told()).toEqual([[['first']], [['second', 'third']]]));
  answers.shift()?.();
});

test('a notification that fails is reported, and the next one is sent', async () => {
  const failure = new Error('The database is away.');
  const execute = vi.fn(async () => undefined);
  const failed = Promise.withResolvers<unknown>();
  execute.mockRejectedValueOnce(failure);
  const tell = createTell(execute, failed.resolve);
  tell('first');
  expect(await failed.promise).toBe(failure);
  tell('second');
  await vi.waitFor(() => expect(execute).toHaveBeenLastCalledWith(expect.any(String), [['second']]));
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
    await vi.waitFor(() => expect(woken).toEqual(['worker of email', 'worker of photo']), 10_000);
    const tell = createTell((text, values) => pool.query(text, values), console.error);
    tell('of another version');
    tell('photo');
    await vi.waitFor(() => expect(woken.slice(2)).toEqual(['worker of photo']), 10_000);
  } finally {
    await Promise.all([listener.stop(), pool.end()]);
    await database.drop();
  }
});
