import { expect, test } from 'vitest';
import { createFairQueue, type QueuedTask } from './fair-queue.ts';

interface NamedTask extends QueuedTask {
  name: string;
}

/** A queue of tasks whose names begin with their owner's letter. */
function createQueue(maximum = 100, maximumOfOwner = 100) {
  const queue = createFairQueue<NamedTask>({ maximum, maximumOfOwner });
  const displaced: string[] = [];
  const add = (name: string, subject = '') =>
    queue.add({ name, owner: name.charAt(0), subject, displace: () => displaced.push(name) });
  const takeAll = () => {
    const names: string[] = [];
    for (let task = queue.take(); task !== undefined; task = queue.take()) names.push(task.name);
    return names;
  };
  return { queue, add, takeAll, displaced };
}

test('owners take turns', () => {
  const { add, takeAll } = createQueue();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) add(name);
  expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('the tasks of an owner take turns by subject', () => {
  const { add, takeAll } = createQueue();
  for (const [name, subject] of [
    ['a1', 'x'],
    ['a2', 'x'],
    ['a3', 'x'],
    ['a4', 'y'],
    ['a5', 'z'],
  ] as const) {
    add(name, subject);
  }
  expect(takeAll()).toEqual(['a1', 'a4', 'a5', 'a2', 'a3']);
});

test('an owner that fills the queue loses its last place to an owner with fewer tasks', () => {
  const { queue, add, takeAll, displaced } = createQueue(4, 3);
  expect(['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => add(name))).toEqual([true, true, true, false, true]);
  expect(add('c1')).toBe(true);
  expect(displaced).toEqual(['a3']);
  expect([queue.size, add('b2')]).toEqual([4, false]);
  expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('a removed task has no turn, and removing it again changes nothing', () => {
  const { queue, add, takeAll } = createQueue();
  for (const name of ['a1', 'a2', 'b1']) add(name);
  const [first] = queue;
  if (first === undefined) throw new Error('The queue is empty');
  queue.remove(first);
  queue.remove(first);
  expect(queue.size).toBe(2);
  expect(takeAll()).toEqual(['a2', 'b1']);
});
