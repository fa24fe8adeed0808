import { type UseQueryOptions, useQueryClient } from '@tanstack/react-query';
import { listSavedSearches, type SavedSearch } from '#contract/listings/saved-searches.ts';
import type { SearchFilters } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';

const key = ['savedSearches'] as const;

/** The query of the signed-in user's saved searches. */
export const savedSearchesQuery = (api: Client): UseQueryOptions<SavedSearch[]> => ({
  queryKey: key,
  queryFn: ({ signal }) => api.call(listSavedSearches, { signal }),
});

/** Returns a function that reads the saved searches again. */
export function useRefreshSavedSearches(): () => Promise<void> {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: key });
}

/** The path and parameters of a saved search's results. */
export function savedResultsUrl(filters: SearchFilters): string {
  const parameters = Object.entries(filters).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== '')
      .map((one) => [name, String(one)]),
  );
  return `/laptops?${new URLSearchParams(parameters)}`;
}

/** The frequencies for display. */
export const frequencyNames: Readonly<Record<SavedSearch['frequency'], string>> = {
  daily: 'Once a day',
  'at once': 'At once',
};
