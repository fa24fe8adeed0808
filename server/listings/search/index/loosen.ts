import { MAXIMUM_LOOSENED } from '#contract/listings/search.ts';
import type { FilterName, Selection } from './selection.ts';

/** The maximum number of filters that are evaluated: each takes about 40 µs for a million laptops. */
export const MAXIMUM_EVALUATIONS = 64;

/** Filters whose removal together gives matches. */
export interface LoosenedFilters {
  filters: FilterName[];
  /** The number of matches. */
  total: number;
}

/** Filters whose removal alone gives matches. */
export function loosenOne(selection: Selection): { filter: FilterName; total: number }[] {
  return selection.filters
    .map((filter) => ({ filter, total: selection.countWithout(filter) }))
    .filter(({ total }) => total > 0);
}

/**
 * Finds sets of filters whose removal together gives matches, smallest first. Greedy: for several orders it keeps each filter
 * while laptops still match, so it may miss sets.
 */
export function loosenSeveral(selection: Selection): LoosenedFilters[] {
  const names = selection.filters;
  const orders = names
    .slice(0, Math.floor(MAXIMUM_EVALUATIONS / Math.max(names.length, 1)))
    .map((first) => [first, ...names.filter((name) => name !== first)]);
  const found = new Map<string, LoosenedFilters>();
  for (const order of orders) {
    const { omitted, total } = selection.keepMatching(order);
    const filters = names.filter((name) => omitted.includes(name));
    // Removing every filter is no useful suggestion.
    if (total > 0 && filters.length < names.length) found.set(filters.join(), { filters, total });
  }
  return [...found.values()]
    .sort((one, other) => one.filters.length - other.filters.length || other.total - one.total)
    .slice(0, MAXIMUM_LOOSENED);
}
