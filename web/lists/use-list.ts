import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { Page } from '#contract/platform/client.ts';
import { type ListEndpoint, type ListParameters, listQuery } from '../requests/reads.ts';
import { useApi } from '../session/session.tsx';

export type List<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item[]>>>;

interface ListOptions {
  /** False for lists that follow the stream of changes, which opens again with the connection. */
  refetchOnReconnect?: 'always' | false;
}

/** Loads a list of the contract page by page. @param parameters of all pages @param options.rowOf gives the items another shape */
export function useList<Item>(
  endpoint: ListEndpoint<Item>,
  parameters?: ListParameters,
  options?: ListOptions,
): List<Item>;
export function useList<Item, Row>(
  endpoint: ListEndpoint<Item>,
  parameters: ListParameters,
  options: ListOptions & { rowOf: (item: Item) => Row },
): List<Row>;
export function useList(
  endpoint: ListEndpoint<unknown>,
  parameters: ListParameters = {},
  options: ListOptions & { rowOf?: (item: unknown) => unknown } = {},
): List<unknown> {
  const { refetchOnReconnect = 'always', rowOf } = options;
  return useInfiniteQuery({
    ...listQuery(useApi(), endpoint, parameters),
    ...(rowOf && {
      select: ({ pages, pageParams }: InfiniteData<Page<unknown[]>>) => ({
        pageParams,
        pages: pages.map(({ items, next }) => ({ items: items.map(rowOf), next })),
      }),
    }),
    // Another page may have changed the list since the cached response.
    refetchOnMount: 'always',
    refetchOnReconnect,
    // The results of the previous search stay visible while the next one loads.
    placeholderData: keepPreviousData,
  });
}
