import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { refetch } from './refetch.ts';

test('a change during the first fetch is read', async () => {
  const cache = new QueryClient();
  const first = Promise.withResolvers<number>();
  const queryFn = vi.fn<() => Promise<number>>().mockReturnValueOnce(first.promise).mockResolvedValue(1);
  const observer = new QueryObserver(cache, { queryKey: ['unseen'], queryFn });
  const stop = observer.subscribe(() => {});
  const isRead = refetch(cache, { queryKey: ['unseen'] });
  first.resolve(0);
  await isRead;
  expect(observer.getCurrentResult().data).toBe(1);
  stop();
});
