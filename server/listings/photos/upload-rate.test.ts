import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withMinimumRate } from './upload-rate.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Receives an upload at 1,000 bytes a second or more. @param received the bytes of each second */
async function receive(received: readonly number[]): Promise<string> {
  // The connection was used before.
  const socket = { bytesRead: 1_000_000 };
  const upload = Promise.withResolvers<string>();
  const result = withMinimumRate(
    { bytesPerSecond: 1_000, graceMs: 5_000 },
    socket,
    upload.promise,
    () => new Error('too slow'),
  ).catch(({ message }: Error) => message);
  for (const bytes of received) {
    socket.bytesRead += bytes;
    await vi.advanceTimersByTimeAsync(1_000);
  }
  upload.resolve('received');
  return result;
}

const seconds = (count: number, bytes: number): number[] => Array.from({ length: count }, () => bytes);

test('the rate counts over the whole upload', async () => {
  expect(await receive(seconds(60, 1_000))).toBe('received');
  expect(await receive([...seconds(20, 2_000), ...seconds(20, 0), ...seconds(20, 1_000)])).toBe('received');
  expect(await receive([...seconds(20, 2_000), ...seconds(30, 0)])).toBe('too slow');
  expect(await receive(seconds(60, 900))).toBe('too slow');
  expect(await receive(seconds(4, 0))).toBe('received');
  expect(await receive(seconds(7, 0))).toBe('too slow');
});
