import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveWayToRequests } from './give-way.ts';

const batchSize = 2;
const run = vi.fn(async (jobs: string[]) => jobs.length);

let isBusy = false;
let work: Promise<void>;

/** Keeps the event loop busy, as requests do, until `isBusy` is false. */
async function keepBusy(): Promise<void> {
  while (isBusy) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    await nextTurn();
  }
}

/** Resolves after a time in which the event loop was busy. */
async function afterBusy(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) await nextTurn();
}

beforeEach(() => {
  run.mockClear();
  isBusy = true;
  work = keepBusy();
});
afterEach(async () => {
  isBusy = false;
  await work;
});

test('a full batch waits while the process is busy, and runs when it is not', async () => {
  const runBatch = giveWayToRequests(run, { batchSize, maximumWaitMs: 60_000 });
  await afterBusy(50);
  const batch = runBatch(['one', 'two']);
  await afterBusy(300);
  expect(run).not.toHaveBeenCalled();
  isBusy = false;
  expect(await batch).toBe(2);
});

test('a full batch of a process that stays busy runs after the longest wait', async () => {
  const runBatch = giveWayToRequests(run, { batchSize, maximumWaitMs: 300 });
  await afterBusy(50);
  const start = performance.now();
  expect(await runBatch(['one', 'two'])).toBe(2);
  expect(performance.now() - start).toBeGreaterThanOrEqual(300);
});

test('jobs that are fewer run at once', async () => {
  const runBatch = giveWayToRequests(run, { batchSize, maximumWaitMs: 60_000 });
  await afterBusy(50);
  expect(await runBatch(['one'])).toBe(1);
});

test('the work of a batch does not delay the next one', async () => {
  const runBatch = giveWayToRequests(run, { batchSize, maximumWaitMs: 60_000 });
  run.mockImplementationOnce(async (jobs) => {
    await afterBusy(300);
    isBusy = false;
    await work;
    return jobs.length;
  });
  await runBatch(['one']);
  // The worker fetches the next jobs, which leaves the process idle.
  await pause(50);
  const next = runBatch(['two', 'three']);
  expect(run).toHaveBeenCalledTimes(2);
  await next;
});
