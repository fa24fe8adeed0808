import type { SavedSearch } from '#contract/listings/saved-searches.ts';
import type { SearchFilters } from '#contract/listings/search.ts';

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
