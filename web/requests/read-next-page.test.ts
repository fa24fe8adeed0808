import { InfiniteQueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { clearQueries, queryClientFor } from './query-client.ts';
import { readNextPage } from './read-next-page.ts';

afterEach(clearQueries);

/** A list of three pages, each read when `answer` is called. */
async function openList() {
  const client = queryClientFor('ada@example.com');
  const queryKey = ['messages'];
  const running: { page: number; end: () => void }[] = [];
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      new Promise<number>((resolve, reject) => {
        running.push({ page: pageParam, end: () => resolve(pageParam) });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    initialPageParam: 1,
    getNextPageParam: (page) => (page < 3 ? page + 1 : null),
  });
  const stop = observer.subscribe(() => undefined);
  const answer = async (page: number) => {
    await vi.waitFor(() => expect(running.at(-1)?.page).toBe(page), 60_000);
    running.at(-1)?.end();
  };
  await answer(1);
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true), 60_000);
  return { observer, answer, stop, change: () => void client.invalidateQueries({ queryKey }), running };
}

const pagesOf = ({ observer }: Awaited<ReturnType<typeof openList>>) =>
  observer.getCurrentResult().data?.pages;

test('reads the next page', async () => {
  const list = await openList();
  const reading = readNextPage(list.observer.getCurrentResult());
  await list.answer(2);
  await reading;
  expect(pagesOf(list)).toEqual([1, 2]);
  list.stop();
});

test('a change while the next page is read delays it and is read first', async () => {
  const list = await openList();
  const reading = readNextPage(list.observer.getCurrentResult());
  await vi.waitFor(() => expect(list.running.at(-1)?.page).toBe(2), 60_000);
  list.change();
  await list.answer(1);
  await list.answer(2);
  await reading;
  expect(pagesOf(list)).toEqual([1, 2]);
  expect(list.running.map(({ page }) => page)).toEqual([1, 2, 1, 2]);
  list.stop();
});

test('waits for a change that is being read', async () => {
  const list = await openList();
  list.change();
  await vi.waitFor(() => expect(list.running).toHaveLength(2), 60_000);
  const reading = readNextPage(list.observer.getCurrentResult());
  await list.answer(1);
  await list.answer(2);
  await reading;
  expect(pagesOf(list)).toEqual([1, 2]);
  expect(list.running.map(({ page }) => page)).toEqual([1, 1, 2]);
  list.stop();
});
