import { expect, test, vi } from 'vitest';
import { KEPT_SECONDS, keepStatusLists } from './status-list.ts';

function startLists() {
  const clock = { time: 1, now: () => clock.time };
  const sign = vi.fn(async (list: bigint) => (list === 7n ? undefined : `${list} signed at ${clock.time}`));
  return { clock, sign, read: keepStatusLists(sign, clock) };
}

test('many requests for a list, at once and one after the other, are one signing', async () => {
  const { sign, read } = startLists();
  await Promise.all(Array.from({ length: 200 }, () => read(0n)));
  for (let request = 0; request < 200; request++) expect(await read(0n)).toBe('0 signed at 1');
  expect(sign).toHaveBeenCalledTimes(1);
});

test('a list is signed anew after its time', async () => {
  const { clock, sign, read } = startLists();
  await read(0n);
  clock.time += KEPT_SECONDS * 1000 + 1;
  expect(await read(0n)).toBe(`0 signed at ${clock.time}`);
  expect(sign).toHaveBeenCalledTimes(2);
});

test('a list that does not exist is not kept, and neither is an error', async () => {
  const { sign, read } = startLists();
  expect(await read(7n)).toBeUndefined();
  sign.mockResolvedValueOnce('now it exists');
  expect(await read(7n)).toBe('now it exists');
  sign.mockRejectedValueOnce(new Error('no connection'));
  await expect(read(8n)).rejects.toThrow('no connection');
  expect(await read(8n)).toBe('8 signed at 1');
});
