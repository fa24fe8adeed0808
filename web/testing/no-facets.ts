import type { SearchResult } from '#contract/listings/search.ts';

/** The facets of a search without values. */
export const noFacets: SearchResult['facets'] = {
  brand: [],
  condition: [],
  memory: [],
  storage: [],
  screen: [],
  battery: [],
  processor: [],
  generation: [],
  graphics: [],
  system: [],
  verified: [],
  level: [],
  place: [],
};
