import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Reads queries again after a change of which this page was told. `invalidateQueries` alone leaves a first fetch that is under
 * way, whose response may be older than the change and would then stay.
 */
export async function refetch(cache: QueryClient, filters: QueryFilters = {}): Promise<void> {
  await cache.cancelQueries({
    ...filters,
    type: 'active',
    predicate: (query) => query.state.data === undefined && (filters.predicate?.(query) ?? true),
  });
  await cache.invalidateQueries(filters);
}
