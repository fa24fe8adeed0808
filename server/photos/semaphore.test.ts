import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('runs as many tasks as it has permits, and the others in order', async () => {
  const semaphore = createSemaphore(2);
  const order: number[] = [];
  const tasks = Array.from({ length: 5 }, (_, index) => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const run = semaphore.run(async () => {
      order.push(index);
      started.resolve();
      await gate.promise;
    });
    return { started: started.promise, end: gate.resolve, run };
  });
  const [first, second, third, fourth, fifth] = tasks;
  await Promise.all([first?.started, second?.started]);
  expect(order).toEqual([0, 1]);
  second?.end();
  await third?.started;
  expect(order).toEqual([0, 1, 2]);
  first?.end();
  await fourth?.started;
  expect(order).toEqual([0, 1, 2, 3]);
  third?.end();
  await fifth?.started;
  for (const task of tasks) task.end();
  await Promise.all(tasks.map((task) => task.run));
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('releases the permit of a task that fails', async () => {
  const semaphore = createSemaphore(1);
  const failing = semaphore.run(async () => {
    throw new Error('broken');
  });
  const following = semaphore.run(async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  await expect(following).resolves.toBe('done');
});

test('alternates between owners', async () => {
  const semaphore = createSemaphore(1);
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const task = (name: string) => async () => {
    order.push(name);
    await gate.promise;
  };
  const all = [
    semaphore.run(task('a1'), 'a'),
    semaphore.run(task('a2'), 'a'),
    semaphore.run(task('a3'), 'a'),
    semaphore.run(task('b1'), 'b'),
    semaphore.run(task('b2'), 'b'),
    semaphore.run(task('c1'), 'c'),
  ];
  gate.resolve();
  await Promise.all(all);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'c1']);
});
