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
import { readAnew } from './read-anew.ts';

export type ResponseOf<E extends Callable> = z.output<E['response']>;

interface Parameters {
  params?: unknown;
  query?: object;
}

/** The query key of a call. It begins with the call's resource, so that a write reaches all reads of what it changes. */
export function keyOf(endpoint: Pick<Callable, 'path'>, input: object = {}) {
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

/** The query that makes a reading call. @param call of the client that the endpoint belongs to */
export const readQuery = <E extends Callable>(
  call: (endpoint: E, input: Input<E>) => Promise<ResponseOf<E>>,
  endpoint: E,
  input: Input<E>,
  options: ReadOptions<ResponseOf<E>> = {},
): UseQueryOptions<ResponseOf<E>> => ({
  ...options,
  queryKey: keyOf(endpoint, input),
  queryFn: ({ signal }) => call(endpoint, { ...input, signal }),
});

/** Reads a call of the shop in a component. */
export const useRead = <E extends Callable>(
  endpoint: E,
  input: Input<E>,
  options?: ReadOptions<ResponseOf<E>>,
): UseQueryResult<ResponseOf<E>> =>
  useQuery(readQuery(useApi().call, endpoint, input, options), useUserCache());

/** Begins to read what a page shows only after another response, so that the two do not wait for each other. */
export const useReadAhead = <E extends Callable>(endpoint: E, input: Input<E>): void => {
  const { call } = useApi();
  usePrefetchQuery({
    queryKey: keyOf(endpoint, input),
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

export type ListParameters = Parameters & { limit?: number };

/** The query that reads a list page by page. @param parameters of all pages */
export function listQuery<Item>(
  { page }: Pick<Client, 'page'>,
  endpoint: ListEndpoint<Item>,
  parameters: ListParameters = {},
) {
  const { params, query = {}, limit = PAGE_SIZE } = parameters;
  return infiniteQueryOptions({
    queryKey: keyOf(endpoint, parameters),
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

/** Reads again all that is shown of resources, or of `everything`. */
export function readResources(queries: QueryClient, resources: readonly string[]): Promise<void> {
  return readAnew(queries, {
    predicate: ({ queryKey: [resource] }) =>
      resources.includes('everything') || resources.some((each) => each === resource),
  });
}

/** Returns a function that reads again all that is shown of resources. */
export function useRefresh(...resources: string[]): () => Promise<void> {
  const queries = useQueryClient();
  return () => readResources(queries, resources);
}

/** The resource of what waits for the user. */
export const toDo = 'to-do';

/** Reads again what a call has changed: its own resource, those that it declares, and what waits for the user, which any can end. */
export const readChanged = (queries: QueryClient, endpoint: Callable): Promise<void> =>
  readResources(queries, [resourceOf(endpoint), ...(endpoint.changes ?? []), toDo]);
