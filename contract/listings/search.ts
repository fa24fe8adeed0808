import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, MAXIMUM_PAGE_ROWS, Paging } from '#contract/platform/scalars.ts';
import { byFacet, type FacetName, facets, oneLine, wholeNumber } from './facets.ts';
import { Laptop } from './laptop-schemas.ts';

/** The maximum length of the searched words, in characters. */
export const MAXIMUM_SEARCH_LENGTH = 100;

/** The maximum number of sets of filters that a search without matches names. */
export const MAXIMUM_LOOSENED = 3;

/** A price bound in whole dollars; empty counts as missing, as forms send it. */
const priceBound = z.pipe(
  z.pipe(
    z.optional(z.unknown()),
    z.transform((given: unknown) => (given === '' ? undefined : given)),
  ),
  z.optional(wholeNumber(1_000_000, 'A price filter is in whole dollars')),
);

/** Removes characters that are not displayed, such as zero-width spaces and soft hyphens. They come along with pasted texts. */
export const withoutIgnorable = (text: string): string =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');

const typedWords = oneLine(MAXIMUM_SEARCH_LENGTH, z.overwrite(withoutIgnorable));

export const sortOrders = ['newest', 'price', '-price', 'saving', 'relevance'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Filters of a search. A laptop matches all of them. */
export const SearchFilters = z.object({
  /** Words of the name, brand and configuration; all must match. */
  q: z._default(typedWords, ''),
  ...byFacet((name) => facets[name].chosen),
  /** Bounds of the resale price in whole dollars, inclusive. */
  min_price: priceBound,
  max_price: priceBound,
});
export type SearchFilters = z.output<typeof SearchFilters>;

/** The filters by which results are narrowed; the two bounds of the price are one. */
export type FilterName = FacetName | 'q' | 'price';

export const SearchQuery = z.extend(SearchFilters, {
  ...Paging.shape,
  sort: z.optional(z.enum(sortOrders, { error: 'Unknown order' })),
});
export type SearchQuery = z.output<typeof SearchQuery>;

/** A laptop in a list of results, as its card shows it. */
export const FoundLaptop = z.pick(Laptop, {
  _id: true,
  category_Id: true,
  name: true,
  location: true,
  image: true,
  facts: true,
  original_price: true,
  resale_price: true,
  condition: true,
  delivery: true,
  ships_from: true,
  level: true,
  level_at: true,
  sellers_name: true,
  seller_id: true,
  seller_rating: true,
  sellerVerified: true,
});
export type FoundLaptop = z.infer<typeof FoundLaptop>;

const FacetCounts = z.array(z.object({ value: z.string(), count: z.int() }));

export const SearchResult = z.object({
  /** The exact number of matching laptops. */
  total: z.int(),
  laptops: z.array(FoundLaptop).check(z.maxLength(MAXIMUM_PAGE_ROWS)),
  /** The cursor of the next page, or null. */
  next: z.nullable(z.string()),
  /** The number of matching laptops before this page. */
  skipped: z.int(),
  /** For each facet the values of laptops that match all other filters, with exact counts; chosen values are always included. */
  facets: z.object(byFacet(() => FacetCounts)),
  /** The words that were searched instead of `q`, when a word of it is unknown and a similar one is known. */
  corrected: z.optional(z.string()),
  /** When nothing matches: filters whose removal alone gives matches, with the number of matches. */
  loosen: z.array(z.object({ filter: z.string(), total: z.int() })),
  /** When no removal of one filter gives matches: filters whose removal together does, with the number of matches. */
  loosenTogether: z
    .array(z.object({ filters: z.array(z.string()), total: z.int() }))
    .check(z.maxLength(MAXIMUM_LOOSENED)),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const searchLaptops = endpoint({
  method: 'GET',
  path: '/laptops',
  access: 'public',
  summary: 'Searches the laptops for sale; filters of several values match one of them',
  query: SearchQuery,
  answer: SearchResult,
  refusals: ['too_many_requests', 'busy'],
});

/** The maximum number of laptops among suggestions. */
export const MAXIMUM_SUGGESTED_LAPTOPS = 2;

export const Suggestions = z.object({
  /** Searches, the one with most laptops first. */
  suggestions: z.array(z.object({ text: z.string(), count: z.int() })),
  /** Matching laptops, the newest first. */
  laptops: z
    .array(z.pick(FoundLaptop, { _id: true, name: true, image: true, resale_price: true }))
    .check(z.maxLength(MAXIMUM_SUGGESTED_LAPTOPS)),
});
export type Suggestions = z.infer<typeof Suggestions>;

export const suggestSearches = endpoint({
  method: 'GET',
  path: '/suggestions',
  access: 'public',
  summary:
    'Searches that begin like the given words, corrected where a word is unknown, and laptops that match them',
  query: z.object({ q: typedWords }),
  answer: Suggestions,
  refusals: ['too_many_requests', 'busy'],
});

/** The number of laptops in a list of similar ones. */
export const SIMILAR_LAPTOPS = 4;

export const listSimilar = endpoint({
  method: 'GET',
  path: '/laptops/:_id/similar',
  access: 'public',
  summary:
    'Laptops for sale like this one: of its brand with its memory, of its brand, with its memory; newest first',
  params: z.object({ _id: Id }),
  answer: z.array(FoundLaptop).check(z.maxLength(SIMILAR_LAPTOPS)),
  refusals: ['not_found', 'too_many_requests', 'busy'],
});
