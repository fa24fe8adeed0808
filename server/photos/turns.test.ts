import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('as many tasks run at once as are allowed, the others in the order of their coming', async () => {
  const turns = createTurns(2);
  const order: number[] = [];
  const tasks = Array.from({ length: 5 }, (_, index) => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const run = turns.run(async () => {
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

test('a task that fails makes room for the next', async () => {
  const turns = createTurns(1);
  const failing = turns.run(async () => {
    throw new Error('broken');
  });
  const following = turns.run(async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  await expect(following).resolves.toBe('done');
});

test('tasks of one owner let those of others pass', async () => {
  const turns = createTurns(1);
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const task = (name: string) => async () => {
    order.push(name);
    await gate.promise;
  };
  const all = [
    turns.run(task('a1'), 'a'),
    turns.run(task('a2'), 'a'),
    turns.run(task('a3'), 'a'),
    turns.run(task('b1'), 'b'),
    turns.run(task('b2'), 'b'),
    turns.run(task('c1'), 'c'),
  ];
  gate.resolve();
  await Promise.all(all);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'c1']);
});
