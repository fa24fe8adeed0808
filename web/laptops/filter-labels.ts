import { facetLabel, facetNames } from '#contract/listings/facets.ts';
import type { FilterName, SearchFilters, Understanding } from '#contract/listings/search.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { sortNames } from './sort-names.ts';

function priceLabel({ min_price: low, max_price: high }: SearchFilters): string | null {
  const short = (price: number) => formatAmount(price).replace(/\.00$/, '');
  if (low !== undefined && high !== undefined) return `${short(low)} to ${short(high)}`;
  if (low !== undefined) return `from ${short(low)}`;
  return high === undefined ? null : `up to ${short(high)}`;
}

/** A chosen value, which can be removed on its own. */
export interface ChosenFilter {
  label: string;
  /** An order is among the chosen filters only when a search read it in its words. */
  filter: FilterName | 'sort';
  /** The value of a filter with several; null removes the whole filter. */
  value: string | null;
  /** The typed words that were read as this filter. */
  words?: string;
}

/** The chosen filters of a search in words. */
export function chosenFilters(filters: SearchFilters): ChosenFilter[] {
  const values = facetNames.flatMap((filter) =>
    filters[filter].map((chosen) => {
      const value = String(chosen);
      return { filter, value, label: facetLabel(filter, value) };
    }),
  );
  const price = priceLabel(filters);
  return [
    ...(filters.q === '' ? [] : [{ filter: 'q' as const, value: null, label: `“${filters.q}”` }]),
    ...values,
    ...(price === null ? [] : [{ filter: 'price' as const, value: null, label: price }]),
  ];
}

const isPrice = (name: string) => name === 'min_price' || name === 'max_price';

/** The chosen filters of a search with those that were read in its words. @param filters with these, as `withUnderstood` returns them */
export function understoodFilters(
  filters: SearchFilters,
  { understood }: Pick<Understanding, 'understood'>,
): ChosenFilter[] {
  const read = understood.flatMap(({ text, parameters }) => parameters.map((one) => ({ ...one, text })));
  const wordsOf = ({ filter, value }: ChosenFilter) =>
    read
      .filter((one) => (filter === 'price' ? isPrice(one.name) : one.name === filter && one.value === value))
      .map(({ text }) => text);
  const order = read.find(({ name }) => name === 'sort');
  return [
    ...chosenFilters(filters).map((chosen) => {
      const words = [...new Set(wordsOf(chosen))];
      return words.length === 0 ? chosen : { ...chosen, words: words.join(', ') };
    }),
    ...(order === undefined
      ? []
      : [{ filter: 'sort' as const, value: null, label: sortNames.price, words: order.text }]),
  ];
}
