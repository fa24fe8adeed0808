import { batteryFloors, type FacetName, type SearchFilters } from '#contract/listings/search.ts';
import type { Columns } from './columns.ts';
import type { FacetCount } from './facet.ts';
import { chosenValues } from './row.ts';
import type { Selection } from './selection.ts';

/** The maximum number of values per facet beside the chosen ones: anybody can list a laptop with another value. */
const MAXIMUM_VALUES = 100;
const MAXIMUM_PLACES = 20;

/** Up to this share of all rows, counting row by row is faster than counting the bits of all values. */
const MAXIMUM_LISTED_SHARE = 1 / 20;

/** The counts of each facet, the most frequent value first. */
export type FacetCounts = Record<FacetName, FacetCount[]>;

/** Turns counts of stored floors into cumulative counts (at least n %), without zeros unless chosen. */
function atLeast(stored: readonly FacetCount[], chosen: readonly string[]): FacetCount[] {
  return batteryFloors
    .map((floor) => ({
      value: String(floor),
      count: stored.reduce((sum, { value, count }) => (Number(value) >= floor ? sum + count : sum), 0),
    }))
    .filter(({ value, count }) => count > 0 || chosen.includes(value))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}

/** Counts the values of each facet among the laptops that match all other filters. */
export function countFacets(columns: Columns, filters: SearchFilters, selection: Selection): FacetCounts {
  const { bitmaps, live } = columns;
  const lists = new Map<number, Uint32Array | null>();
  /** The rows of a bitmap, or null if they are too many. */
  const listOf = (bitmap: number): Uint32Array | null => {
    const known = lists.get(bitmap);
    if (known !== undefined) return known;
    const list = bitmaps.count(bitmap) <= bitmaps.rows * MAXIMUM_LISTED_SHARE ? bitmaps.list(bitmap) : null;
    lists.set(bitmap, list);
    return list;
  };
  const counts = (name: FacetName): FacetCount[] => {
    const facet = columns.facets[name];
    const rows = selection.without(name);
    const list = rows === live ? null : listOf(rows);
    const all =
      rows === live ? facet.sizes() : list === null ? facet.countBitmap(rows) : facet.countList(list);
    const maximum = name === 'place' ? MAXIMUM_PLACES : MAXIMUM_VALUES;
    const chosen = chosenValues(filters, name);
    if (name === 'battery') return atLeast(facet.mostFrequent(all, maximum, []), chosen);
    return facet.mostFrequent(all, maximum, chosen);
  };
  return {
    brand: counts('brand'),
    condition: counts('condition'),
    level: counts('level'),
    memory: counts('memory'),
    storage: counts('storage'),
    screen: counts('screen'),
    battery: counts('battery'),
    processor: counts('processor'),
    generation: counts('generation'),
    graphics: counts('graphics'),
    system: counts('system'),
    verified: counts('verified'),
    place: counts('place'),
  };
}
