import type { SortOrder } from '#contract/listings/search.ts';

/** The orders of a search, for display. */
export const sortNames: Readonly<Record<SortOrder, string>> = {
  relevance: 'Best match',
  newest: 'Newest',
  price: 'Price, lowest first',
  '-price': 'Price, highest first',
  saving: 'Largest saving',
};
