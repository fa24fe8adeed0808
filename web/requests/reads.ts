import {
  infiniteQueryOptions,
  type QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  usePrefetchQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type * as z from 'zod/mini';
import type { Callable, Client, Input, Page } from '#contract/platform/client.ts';
import { type Endpoint, resourceOf } from '#contract/platform/endpoint.ts';
import { useApi } from '../session/session.tsx';
import { useUserCache } from './query-client.ts';
import { refetch } from './refetch.ts';

export type ResponseOf<E extends Callable> = z.output<E['response']>;

interface CallParameters {
  params?: unknown;
  query?: object;
}

/** The query key of a call. It begins with the call's resource, so that a write reaches all reads of what it changes. */
export function queryKeyOf(endpoint: Pick<Callable, 'path'>, input: object = {}) {
  const params = 'params' in input ? input.params : undefined;
  const query = 'query' in input ? input.query : undefined;
  return [resourceOf(endpoint), endpoint.path, { params, query }] as const;
}

type ReadOptions<Data> = Pick<
  UseQueryOptions<Data>,
  | 'enabled'
  | 'gcTime'
  | 'refetchInterval'
  | 'refetchOnMount'
  | 'refetchOnReconnect'
  | 'refetchOnWindowFocus'
  | 'staleTime'
>;

/** The options of the query that makes a reading call. @param call makes calls with the shop's client */
export const readQueryOptions = <E extends Callable>(
  call: (endpoint: E, input: Input<E>) => Promise<ResponseOf<E>>,
  endpoint: E,
  input: Input<E>,
  options: ReadOptions<ResponseOf<E>> = {},
): UseQueryOptions<ResponseOf<E>> => ({
  ...options,
  queryKey: queryKeyOf(endpoint, input),
  queryFn: ({ signal }) => call(endpoint, { ...input, signal }),
});

/** Reads the response of a call in a component. */
export const useRead = <E extends Callable>(
  endpoint: E,
  input: Input<E>,
  options?: ReadOptions<ResponseOf<E>>,
): UseQueryResult<ResponseOf<E>> =>
  useQuery(readQueryOptions(useApi().call, endpoint, input, options), useUserCache());

/** Begins to read what a page shows only after another response, so that the two do not wait for each other. */
export const usePrefetch = <E extends Callable>(endpoint: E, input: Input<E>): void => {
  const { call } = useApi();
  usePrefetchQuery({
    queryKey: queryKeyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, { ...input, signal }),
  });
};

const PAGE_SIZE = 20;

/** A call whose response is one page of a list. */
export type ListEndpoint<Item> = Endpoint<
  Endpoint['access'],
  z.ZodMiniType,
  z.ZodMiniType,
  z.ZodMiniType,
  z.ZodMiniType<Item[]>
>;

export type ListCallParameters = CallParameters & { limit?: number };

/** The options of the query that reads a list page by page. @param parameters the same for each page */
export function listQueryOptions<Item>(
  { page }: Pick<Client, 'page'>,
  endpoint: ListEndpoint<Item>,
  parameters: ListCallParameters = {},
) {
  const { params, query = {}, limit = PAGE_SIZE } = parameters;
  return infiniteQueryOptions({
    queryKey: queryKeyOf(endpoint, parameters),
    queryFn: ({ pageParam, signal }): Promise<Page<Item[]>> =>
      page(endpoint, {
        params,
        query: { ...query, limit, cursor: pageParam === '' ? undefined : pageParam },
        body: undefined,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }: Page<Item[]>) => next,
  });
}

/** Refetches the queries of resources, or all of them for `everything`. */
export function refetchResources(queries: QueryClient, resources: readonly string[]): Promise<void> {
  return refetch(queries, {
    predicate: ({ queryKey: [resource] }) =>
      resources.includes('everything') || resources.some((each) => each === resource),
  });
}

/** Returns a function that refetches the queries of resources. */
export function useRefetch(...resources: string[]): () => Promise<void> {
  const queries = useQueryClient();
  return () => refetchResources(queries, resources);
}

/** The resource of the to-do list. */
export const toDo = 'to-do';

/** Refetches what a call has changed: its own resource, those that it declares, and the to-do list, which any call can shorten. */
export const refetchChanged = (queries: QueryClient, endpoint: Callable): Promise<void> =>
  refetchResources(queries, [resourceOf(endpoint), ...(endpoint.changes ?? []), toDo]);
