import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { Page } from '#contract/client.ts';

const PAGE_SIZE = 20;

/** Which page of a list is asked for. */
export interface Wanted {
  limit: number;
  cursor: string | undefined;
}

export type List<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item[]>>>;

/**
 * A list of the contract, a page at a time.
 * @param key the list's name in the cache, under the name of what it lists, so that a write can invalidate both
 */
export function useList<Item>(
  key: readonly string[],
  load: (wanted: Wanted, signal: AbortSignal) => Promise<Page<Item[]>>,
): List<Item> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      load({ limit: PAGE_SIZE, cursor: pageParam === '' ? undefined : pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    // What was written on another page must show here, however fresh the last answer is.
    refetchOnMount: 'always',
    // While another search is under way, what the last one found stays to be read.
    placeholderData: keepPreviousData,
  });
}
