import { expect, test } from 'vitest';
import { createWorkQueue, WorkNotStarted } from './work-queue.ts';

const present = new AbortController().signal;

/** A queue whose work runs until the test ends it. */
function createQueue({ concurrency = 1, maximumWaitMs = null as number | null } = {}) {
  const queue = createWorkQueue<string>({ concurrency, maximum: 10, maximumOfOwner: 10, maximumWaitMs });
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  const request = (key: string, { owner = 'a', signal = present } = {}) =>
    queue.run({ key, owner, signal }, () => {
      started.push(key);
      const gate = Promise.withResolvers<string>();
      gates.set(key, gate);
      return gate.promise;
    });
  const end = async (key: string, error?: Error) => {
    if (error === undefined) gates.get(key)?.resolve(`made ${key}`);
    else gates.get(key)?.reject(error);
    // Lets the next work start.
    await new Promise(setImmediate);
  };
  return { request, started, end };
}

test('runs as much at a time as it may, and the rest when something ends, also with an error', async () => {
  const { request, started, end } = createQueue({ concurrency: 2 });
  const results = ['one', 'two', 'three', 'four'].map((key) => request(key));
  const failure = expect(results[1]).rejects.toThrow('broken');
  expect(started).toEqual(['one', 'two']);
  await end('two', new Error('broken'));
  await failure;
  expect(started).toEqual(['one', 'two', 'three']);
  await end('one');
  expect(started).toEqual(['one', 'two', 'three', 'four']);
  await end('three');
  await end('four');
  expect(await Promise.all([results[0], results[2], results[3]])).toEqual([
    'made one',
    'made three',
    'made four',
  ]);
});

test('runs work once for all who wait for it, at the earliest of their turns', async () => {
  const { request, started, end } = createQueue();
  const results = [request('first')];
  for (const key of ['x', 'y', 'shared']) results.push(request(key));
  results.push(request('shared', { owner: 'b' }));
  await end('first');
  await end('x');
  expect(started).toEqual(['first', 'x', 'shared']);
  results.push(request('shared', { owner: 'c' }));
  await end('shared');
  await end('y');
  expect(started).toEqual(['first', 'x', 'shared', 'y']);
  expect((await Promise.all(results)).filter((result) => result === 'made shared')).toHaveLength(3);
});

test('does not start work after everybody who waited for it has left', async () => {
  const { request, started, end } = createQueue();
  const [one, other] = [new AbortController(), new AbortController()];
  const first = request('first');
  const left = [
    request('left', { signal: one.signal }),
    request('awaited', { signal: one.signal }),
    request('left', { signal: other.signal }),
  ].map((result) => expect(result).rejects.toThrow('closed'));
  const awaited = request('awaited', { owner: 'b' });
  one.abort(new Error('closed'));
  other.abort(new Error('closed'));
  await Promise.all(left);
  await end('first');
  await end('awaited');
  expect(started).toEqual(['first', 'awaited']);
  expect(await Promise.all([first, awaited])).toEqual(['made first', 'made awaited']);
});

test('ends the waiting of a request after a time, but not its run', async () => {
  const { request, started, end } = createQueue({ maximumWaitMs: 1 });
  const first = request('first');
  await expect(request('second')).rejects.toThrow(WorkNotStarted);
  await end('first');
  expect([await first, started]).toEqual(['made first', ['first']]);
});
