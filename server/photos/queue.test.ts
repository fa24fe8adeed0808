import { expect, test } from 'vitest';
import { createQueue, createTurns } from './queue.ts';

test('as many tasks run at once as are allowed, the others in the order of their coming', async () => {
  const queue = createQueue({ turns: createTurns(2), underWay: 5 });
  const order: number[] = [];
  const tasks = Array.from({ length: 5 }, (_, index) => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const run = queue.enter()?.run(async () => {
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

test('there are no more places than allowed until one is given back', () => {
  const queue = createQueue({ turns: createTurns(1), underWay: 2 });
  const first = queue.enter();
  expect(queue.enter()).not.toBeNull();
  expect(queue.enter()).toBeNull();
  first?.leave();
  expect(queue.enter()).not.toBeNull();
  expect(queue.enter()).toBeNull();
});

test('a task that fails makes room for the next', async () => {
  const queue = createQueue({ turns: createTurns(1), underWay: 2 });
  const failing = queue.enter()?.run(async () => {
    throw new Error('broken');
  });
  const following = queue.enter()?.run(async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  await expect(following).resolves.toBe('done');
});
