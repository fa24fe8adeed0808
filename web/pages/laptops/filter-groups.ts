import { graphicsKinds, operatingSystems, processorFamilies, processorGenerations } from '#contract/facts.ts';
import { conditions } from '#contract/laptop-schemas.ts';
import type { FacetName, SearchResult } from '#contract/search.ts';
import { formatGigabytes } from '../../laptops/facts-line.ts';

export interface FilterValue {
  value: string;
  label: string;
  /** The number of laptops with this value that match all other filters. */
  count: number;
}

/** A filter with the values that can be chosen, in display order. */
export interface FilterGroup {
  name: FacetName;
  title: string;
  values: FilterValue[];
}

const formatScreen = (value: string) =>
  value === '12' ? '12.9″ or smaller' : value === '17' ? '17″ or larger' : `${value}–${value}.9″`;

const mostFrequentFirst = (one: FilterValue, other: FilterValue) =>
  other.count - one.count || one.label.localeCompare(other.label, 'en');

const ascending = (one: FilterValue, other: FilterValue) => Number(one.value) - Number(other.value);

interface Display {
  title: string;
  label: (value: string) => string;
  order: (one: FilterValue, other: FilterValue) => number;
}

/** The display of values that have names, in the order of the names. */
function named(title: string, names: Readonly<Record<string, string>>): Display {
  const keys = Object.keys(names);
  return {
    title,
    label: (value) => names[value] ?? value,
    order: (one, other) => keys.indexOf(one.value) - keys.indexOf(other.value),
  };
}

const asWritten = (value: string) => value;

/** In display order. */
const displays: Record<FacetName, Display> = {
  brand: { title: 'Brand', label: asWritten, order: mostFrequentFirst },
  condition: named('Condition', Object.fromEntries(conditions.map((condition) => [condition, condition]))),
  memory: { title: 'Memory', label: (value) => formatGigabytes(Number(value)), order: ascending },
  storage: { title: 'Storage', label: (value) => formatGigabytes(Number(value)), order: ascending },
  screen: { title: 'Screen size', label: formatScreen, order: ascending },
  processor: named('Processor', processorFamilies),
  generation: named('Processor generation', processorGenerations),
  graphics: named('Graphics', graphicsKinds),
  system: named('Operating system', operatingSystems),
  place: { title: 'Place', label: asWritten, order: mostFrequentFirst },
  verified: named('Seller', { yes: 'Verified sellers only' }),
};

const isFacetName = (name: string): name is FacetName => Object.hasOwn(displays, name);

/** The filters with their values, counts and labels. A filter without values is left out. */
export function filterGroups(facets: SearchResult['facets']): FilterGroup[] {
  return Object.keys(displays)
    .filter(isFacetName)
    .map((name) => {
      const { title, label, order } = displays[name];
      const values = facets[name].map(({ value, count }) => ({ value, count, label: label(value) }));
      return { name, title, values: values.sort(order) };
    })
    .filter(({ values }) => values.length > 0);
}

/** The label of a chosen value. */
export function valueLabel(name: FacetName, value: string): string {
  return displays[name].label(value);
}

export const facetNames: readonly FacetName[] = Object.keys(displays).filter(isFacetName);
