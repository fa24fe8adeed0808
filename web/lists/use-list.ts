import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { Page } from '#contract/platform/client.ts';

const PAGE_SIZE = 20;

/** The paging parameters of a list request. */
export interface PageQuery {
  limit: number;
  cursor: string | undefined;
}

export type List<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item[]>>>;

/**
 * Loads a list of the contract page by page.
 * @param key the query key. It begins with the name of the resource, so that a write invalidates all its lists.
 * @param options.refetchOnReconnect false for lists that follow the stream of changes, which opens again with the connection
 */
export function useList<Item>(
  key: readonly string[],
  load: (query: PageQuery, signal: AbortSignal) => Promise<Page<Item[]>>,
  { refetchOnReconnect = 'always' }: { refetchOnReconnect?: 'always' | false } = {},
): List<Item> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      load({ limit: PAGE_SIZE, cursor: pageParam === '' ? undefined : pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    // Another page may have changed the list since the cached response.
    refetchOnMount: 'always',
    refetchOnReconnect,
    // The results of the previous search stay visible while the next one loads.
    placeholderData: keepPreviousData,
  });
}
