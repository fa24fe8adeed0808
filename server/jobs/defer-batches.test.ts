import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deferBatches } from './defer-batches.ts';
import { keepBusy } from './testing/keep-busy.ts';

const run = vi.fn(async (jobs: string[]) => jobs.length);
const full = ['one', 'two'];
const options = {
  batchSize: full.length,
  signal: new AbortController().signal,
  maximumWaitMs: 60_000,
};

let endWork: () => Promise<void>;

/** Resolves after a time in which the event loop is busy. */
async function spinFor(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) await nextTurn();
}

beforeEach(() => {
  run.mockClear();
  endWork = keepBusy();
});
afterEach(() => endWork());

test('a full batch waits while the process is busy, and runs when it is not', async () => {
  const runBatch = deferBatches(run, options);
  await spinFor(50);
  const batch = runBatch(full);
  await spinFor(300);
  expect(run).not.toHaveBeenCalled();
  await endWork();
  expect(await batch).toBe(2);
});

test('a full batch of a process that stays busy runs after the longest wait', async () => {
  const runBatch = deferBatches(run, { ...options, maximumWaitMs: 300 });
  await spinFor(50);
  const start = performance.now();
  expect(await runBatch(full)).toBe(2);
  expect(performance.now() - start).toBeGreaterThanOrEqual(300);
});

test('a batch that is not full runs at once', async () => {
  const runBatch = deferBatches(run, options);
  await spinFor(50);
  expect(await runBatch(['one'])).toBe(1);
});

test('full batches run at once when they have followed each other for the longest time', async () => {
  const runBatch = deferBatches(run, { ...options, maximumWaitMs: 100, maximumBacklogMs: 100 });
  await spinFor(50);
  await runBatch(full);
  const second = runBatch(full);
  await nextTurn();
  expect(run).toHaveBeenCalledTimes(2);
  await second;
  // A batch that is not full ends the backlog.
  await runBatch(['one']);
  await spinFor(50);
  const next = runBatch(full);
  await nextTurn();
  expect(run).toHaveBeenCalledTimes(3);
  await next;
  expect(run).toHaveBeenCalledTimes(4);
});

test('a stop ends the wait', async () => {
  const stopping = new AbortController();
  const runBatch = deferBatches(run, { ...options, signal: stopping.signal });
  await spinFor(50);
  const batch = runBatch(full);
  await spinFor(50);
  expect(run).not.toHaveBeenCalled();
  stopping.abort();
  expect(await batch).toBe(2);
});

test('a batch that fails does so, and the work of a batch does not delay the next one', async () => {
  const runBatch = deferBatches(run, options);
  run.mockImplementationOnce(async () => {
    await spinFor(1_500);
    await endWork();
    throw new Error('failed');
  });
  await expect(runBatch(['one'])).rejects.toThrow('failed');
  // The worker fetches the next jobs, which leaves the process idle.
  await pause(300);
  const next = runBatch(full);
  await nextTurn();
  expect(run).toHaveBeenCalledTimes(2);
  await next;
});
