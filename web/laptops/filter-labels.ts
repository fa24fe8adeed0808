import { facetNames, facets } from '#contract/listings/facets.ts';
import type { FilterName, SearchFilters } from '#contract/listings/search.ts';
import { formatDollars } from '#contract/platform/money.ts';

function priceLabel({ min_price: low, max_price: high }: SearchFilters): string | null {
  const dollars = (price: number) => formatDollars(price).replace(/\.00$/, '');
  if (low !== undefined && high !== undefined) return `${dollars(low)} to ${dollars(high)}`;
  if (low !== undefined) return `from ${dollars(low)}`;
  return high === undefined ? null : `up to ${dollars(high)}`;
}

/** A chosen value, which can be removed on its own. */
export interface ChosenFilter {
  label: string;
  filter: FilterName;
  /** The value of a filter with several; null removes the whole filter. */
  value: string | null;
}

/** The chosen filters of a search in words. */
export function chosenFilters(filters: SearchFilters): ChosenFilter[] {
  const values = facetNames.flatMap((filter) =>
    filters[filter].map((chosen) => {
      const value = String(chosen);
      return { filter, value, label: facets[filter].label(value) };
    }),
  );
  const price = priceLabel(filters);
  return [
    ...(filters.q === '' ? [] : [{ filter: 'q' as const, value: null, label: `“${filters.q}”` }]),
    ...values,
    ...(price === null ? [] : [{ filter: 'price' as const, value: null, label: price }]),
  ];
}
