import {
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
} from '#contract/listings/fact-names.ts';
import { conditions } from '#contract/listings/laptop-schemas.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import type { FacetName, SearchResult } from '#contract/listings/search.ts';
import { facetNames, valueLabels } from '../../laptops/filter-labels.ts';

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

const mostFrequentFirst = (one: FilterValue, other: FilterValue) =>
  other.count - one.count || one.label.localeCompare(other.label, 'en');

const ascending = (one: FilterValue, other: FilterValue) => Number(one.value) - Number(other.value);

interface Display {
  title: string;
  order: (one: FilterValue, other: FilterValue) => number;
}

/** The display of values that have names, in the order of the names. */
function named(title: string, names: Readonly<Record<string, string>>): Display {
  const keys = Object.keys(names);
  return {
    title,
    order: (one, other) => keys.indexOf(one.value) - keys.indexOf(other.value),
  };
}

const displays: Record<FacetName, Display> = {
  brand: { title: 'Brand', order: mostFrequentFirst },
  condition: named('Condition', Object.fromEntries(conditions.map((condition) => [condition, condition]))),
  level: named('Checked', levelNames),
  memory: { title: 'Memory', order: ascending },
  storage: { title: 'Storage', order: ascending },
  screen: { title: 'Screen size', order: ascending },
  battery: { title: 'Battery', order: (one, other) => ascending(other, one) },
  processor: named('Processor', processorFamilies),
  generation: named('Processor generation', processorGenerations),
  graphics: named('Graphics', graphicsKinds),
  system: named('Operating system', operatingSystems),
  place: { title: 'Place', order: mostFrequentFirst },
  verified: named('Seller', { yes: 'Verified sellers only' }),
};

/** The filters with their values, counts and labels. A filter without values is left out. */
export function filterGroups(facets: SearchResult['facets']): FilterGroup[] {
  return facetNames
    .map((name) => {
      const { title, order } = displays[name];
      const label = valueLabels[name];
      const values = facets[name].map(({ value, count }) => ({ value, count, label: label(value) }));
      return { name, title, values: values.sort(order) };
    })
    .filter(({ values }) => values.length > 0);
}
