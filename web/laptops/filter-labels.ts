import {
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
} from '#contract/listings/fact-names.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import type { FacetName, SearchFilters } from '#contract/listings/search.ts';
import { formatDollars } from '#contract/platform/money.ts';
import { formatGigabytes } from './facts-line.ts';

const formatScreen = (value: string) =>
  value === '12' ? '12.9″ or smaller' : value === '17' ? '17″ or larger' : `${value}–${value}.9″`;

const asWritten = (value: string) => value;
const bytes = (value: string) => formatGigabytes(Number(value));
const named = (names: Readonly<Record<string, string>>) => (value: string) => names[value] ?? value;

/** The labels of a filter's values, in display order. */
export const valueLabels: Readonly<Record<FacetName, (value: string) => string>> = {
  brand: asWritten,
  condition: asWritten,
  level: named(levelNames),
  memory: bytes,
  storage: bytes,
  screen: formatScreen,
  battery: (value) => `Battery ${value} % or more`,
  processor: named(processorFamilies),
  generation: named(processorGenerations),
  graphics: named(graphicsKinds),
  system: named(operatingSystems),
  place: asWritten,
  verified: named({ yes: 'Verified sellers only' }),
};

const isFacetName = (name: string): name is FacetName => Object.hasOwn(valueLabels, name);

/** The filters of which several values can be chosen, in display order. */
export const facetNames: readonly FacetName[] = Object.keys(valueLabels).filter(isFacetName);

function priceLabel({ min_price: low, max_price: high }: SearchFilters): string | null {
  const dollars = (price: number) => formatDollars(price).replace(/\.00$/, '');
  if (low !== undefined && high !== undefined) return `${dollars(low)} to ${dollars(high)}`;
  if (low !== undefined) return `from ${dollars(low)}`;
  return high === undefined ? null : `up to ${dollars(high)}`;
}

/** The filters by which results are narrowed; the two bounds of the price are one. */
export type FilterName = FacetName | 'q' | 'price';

/** A chosen value, which can be removed on its own. */
export interface ChosenFilter {
  label: string;
  filter: FilterName;
  /** The value of a filter with several; null removes the whole filter. */
  value: string | null;
}

/** The chosen filters of a search in words. */
export function chosenFilters(filters: SearchFilters): ChosenFilter[] {
  const facets = facetNames.flatMap((filter) => {
    const values = filters[filter] ?? [];
    return (typeof values === 'string' ? [values] : values.map(String)).map((value) => ({
      filter,
      value,
      label: valueLabels[filter](value),
    }));
  });
  const price = priceLabel(filters);
  return [
    ...(filters.q === '' ? [] : [{ filter: 'q' as const, value: null, label: `“${filters.q}”` }]),
    ...facets,
    ...(price === null ? [] : [{ filter: 'price' as const, value: null, label: price }]),
  ];
}
