import { type Facet, type FacetName, facetLabel, facetNames, facets } from '#contract/listings/facets.ts';
import type { SearchResult } from '#contract/listings/search.ts';

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

type Order = (one: FilterValue, other: FilterValue) => number;

const mostFrequentFirst: Order = (one, other) =>
  other.count - one.count || one.label.localeCompare(other.label, 'en');
/** A group, such as `16-or-more`, follows the number in its name. */
const ascending: Order = (one, other) => Number.parseInt(one.value, 10) - Number.parseInt(other.value, 10);

function compareBy(order: Facet['order']): Order {
  if (order === undefined) return mostFrequentFirst;
  if (order === 'ascending') return ascending;
  if (order === 'descending') return (one, other) => ascending(other, one);
  return (one, other) => order.indexOf(one.value) - order.indexOf(other.value);
}

/** The filters with their values, counts and labels. A filter without values is left out. */
export function filterGroups(counts: SearchResult['facets']): FilterGroup[] {
  return facetNames
    .map((name) => {
      const { title, order } = facets[name];
      const values = counts[name].map(({ value, count }) => ({
        value,
        count,
        label: facetLabel(name, value),
      }));
      return { name, title, values: values.sort(compareBy(order)) };
    })
    .filter(({ values }) => values.length > 0);
}
