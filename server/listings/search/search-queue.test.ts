import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimeBudget } from '#server/platform/http/time-budget.ts';
import { createSearchQueue } from './search-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose clock advances by what its searches take, and when a test lets time pass. */
async function createQueue({ ready = Promise.resolve() } = {}) {
  let clock = 0;
  const ran: { address: string; at: number; until: number }[] = [];
  const refused: { address: string; code: string; retryAt: Date | undefined }[] = [];
  const now = () => clock;
  const queue = createSearchQueue({ ready, budget: createTimeBudget(now), now });
  /** @param milliseconds of work @param reading ends when the rows are read */
  const search = (address: string, milliseconds = 5, reading = Promise.resolve()) =>
    queue
      .run(address, async () => {
        const at = clock;
        clock += milliseconds;
        ran.push({ address, at, until: clock });
        await reading;
      })
      .catch(({ code, details }) => refused.push({ address, code, retryAt: details.retryAt }));
  const pass = async (milliseconds: number, step = 1) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      clock += step;
      await vi.advanceTimersByTimeAsync(step);
    }
  };
  await pass(1);
  return { queue, search, pass, ran, refused };
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`);

test('an address that has used its time is refused for a while; others are not', async () => {
  const { search, pass, ran, refused } = await createQueue();
  while (refused.length === 0) {
    void search('192.0.2.1');
    await pass(10);
  }
  expect(refused[0]).toMatchObject({ code: 'too_many_requests', retryAt: expect.any(Date) });
  // Two seconds in advance, and a tenth of the time since then.
  const used = ran.length * 5;
  expect(used).toBeGreaterThan(1_500);
  expect(used).toBeLessThan(3_000);
  await search('192.0.2.2');
  expect(ran.at(-1)?.address).toBe('192.0.2.2');

  await pass(1_000);
  await search('192.0.2.1');
  expect(ran.at(-1)?.address).toBe('192.0.2.1');
  expect(refused).toHaveLength(1);
});

test('an IPv6 client cannot escape its budget by other addresses of its network', async () => {
  const { search, pass, refused } = await createQueue();
  for (let network = 0; refused.length === 0 && network < 1_000; network += 1) {
    void search(`2001:db8:1:${network.toString(16)}::1`, 400);
    await pass(400, 100);
  }
  expect(refused[0]).toMatchObject({ code: 'too_many_requests' });
});

test('searches of many addresses leave half of the time, in short pieces', async () => {
  const { search, pass, ran } = await createQueue();
  for (const address of addresses(200)) void search(address);
  await pass(3_000);
  expect(ran).toHaveLength(200);
  let uninterrupted = 0;
  for (const [index, { at, until }] of ran.entries()) {
    uninterrupted = at === ran[index - 1]?.until ? uninterrupted + until - at : until - at;
    expect(uninterrupted).toBeLessThanOrEqual(15);
  }
  expect((ran.at(-1)?.until ?? 0) - (ran[0]?.at ?? 0)).toBeGreaterThanOrEqual(200 * 5 * 2 - 30);
});

test('addresses take turns', async () => {
  const { search, pass, ran } = await createQueue();
  for (let count = 0; count < 30; count += 1) void search('192.0.2.1');
  void search('192.0.2.2');
  const before = ran.length;
  await pass(200);
  expect(ran.slice(before).findIndex(({ address }) => address === '192.0.2.2')).toBeLessThanOrEqual(1);
});

test('an address that fills the queue loses its place to others', async () => {
  const { queue, search, pass, refused } = await createQueue({ ready: new Promise(() => undefined) });
  for (const address of addresses(11)) for (let count = 0; count < 40; count += 1) void search(address);
  for (let count = 0; count < 3; count += 1) void search('198.51.100.1');
  await pass(1);
  expect(queue.waiting()).toBe(300);
  expect(refused.every(({ code }) => code === 'busy')).toBe(true);
  expect(refused.some(({ address }) => address === '198.51.100.1')).toBe(false);
});

test('a search that waits too long is refused with the time to try again', async () => {
  const { queue, search, pass, refused } = await createQueue({ ready: new Promise(() => undefined) });
  void search('192.0.2.1');
  await pass(3_000);
  expect(refused).toEqual([]);
  await pass(1_500);
  expect(refused).toEqual([{ address: '192.0.2.1', code: 'busy', retryAt: expect.any(Date) }]);
  expect(queue.waiting()).toBe(0);
});

test('waiting searches run when the index is ready', async () => {
  const ready = Promise.withResolvers<void>();
  const { search, pass, ran } = await createQueue({ ready: ready.promise });
  void search('192.0.2.1');
  await pass(100);
  expect(ran).toEqual([]);
  ready.resolve();
  await pass(1);
  expect(ran).toHaveLength(1);
});

test('few searches read rows at the same time', async () => {
  const { search, pass, ran } = await createQueue();
  const reading = Promise.withResolvers<void>();
  for (const address of addresses(20)) void search(address, 0, reading.promise);
  await pass(10);
  expect(ran).toHaveLength(8);
  reading.resolve();
  await pass(10);
  expect(ran).toHaveLength(20);
});
