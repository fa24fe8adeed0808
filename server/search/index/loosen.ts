import { MAXIMUM_LOOSENED } from '#contract/search.ts';
import type { FilterName, Selection } from './selection.ts';

/** The maximum number of filters that are evaluated: each takes about 40 µs for a million laptops. */
export const MAXIMUM_EVALUATIONS = 64;

/** Filters without which a search has matches. */
export interface LoosenedFilters {
  filters: FilterName[];
  /** The number of matches. */
  total: number;
}

/** The filters without each of which alone a search without matches has some. */
export function loosenOne(selection: Selection): { filter: FilterName; total: number }[] {
  return selection.filters
    .map((filter) => ({ filter, total: selection.countWithout(filter) }))
    .filter(({ total }) => total > 0);
}

/**
 * Finds sets of filters without which a search without matches has some, the smallest first. None has another filter than
 * necessary. It tries several orders, in each of which another filter is the first to be kept.
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
    // Without any filter it is another search.
    if (total > 0 && filters.length < names.length) found.set(filters.join(), { filters, total });
  }
  return [...found.values()]
    .sort((one, other) => one.filters.length - other.filters.length || other.total - one.total)
    .slice(0, MAXIMUM_LOOSENED);
}
