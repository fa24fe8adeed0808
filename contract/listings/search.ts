import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, MAXIMUM_PAGE_ROWS, Paging } from '#contract/platform/scalars.ts';
import { byFacet, type FacetName, facets, oneLine, wholeNumber } from './facets.ts';
import { Laptop } from './laptop-schemas.ts';

/** The maximum length of the searched words, in characters. */
export const MAXIMUM_SEARCH_LENGTH = 100;

/** The maximum number of sets of filters that a search without matches names. */
export const MAXIMUM_LOOSENED = 3;

/** A price bound in whole units of the shop's currency; empty counts as missing, as forms send it. */
const priceBound = z.pipe(
  z.pipe(
    z.optional(z.unknown()),
    z.transform((given: unknown) => (given === '' ? undefined : given)),
  ),
  z.optional(wholeNumber(20_000_000, 'A price filter is a whole number, 1 to 20000000')),
);

/** Removes characters that are not displayed, such as zero-width spaces and soft hyphens. They come along with pasted texts. */
export const withoutIgnorable = (text: string): string =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Writes full-width letters, digits and signs, as keyboards for Japanese and Chinese do, in their usual width. */
const withUsualWidth = (text: string): string =>
  text.replace(/[\u3000\uff01-\uffee]+/g, (wide) => wide.normalize('NFKC'));

const typedWords = oneLine(
  MAXIMUM_SEARCH_LENGTH,
  z.overwrite((text) => withUsualWidth(withoutIgnorable(text))),
);

export const sortOrders = ['newest', 'price', '-price', 'saving', 'relevance'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Filters of a search. A laptop matches all of them. */
export const SearchFilters = z.object({
  /**
   * Words of the name, brand, configuration, place and description; all must match. Words that name a price, a place or a purpose
   * (`gaming under $900 near Portland`) are read as the filters that they mean, unless they are in double quotes; a filter that is
   * given as well wins.
   */
  q: z._default(typedWords, ''),
  ...byFacet((name) => facets[name].chosen),
  /** Bounds of the resale price in whole units of the shop's currency, inclusive. */
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

/** The parameters that words can mean. */
const UnderstoodQuery = z.pick(SearchQuery, {
  ...byFacet(() => true as const),
  min_price: true,
  max_price: true,
  sort: true,
});

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

/** A parameter of a search, such as `max_price` and `900`. */
const UnderstoodParameter = z.object({ name: z.string(), value: z.string() });
export type UnderstoodParameter = z.infer<typeof UnderstoodParameter>;

/** The maximum number of phrases of a search that are read as filters. */
export const MAXIMUM_UNDERSTOOD = 12;

/** What a search reads in its words. */
export const Understanding = z.object({
  /** Phrases of `q` that were read as filters or as an order, with the parameters that say the same and were applied. */
  understood: z
    .array(z.object({ text: z.string(), parameters: z.array(UnderstoodParameter) }))
    .check(z.maxLength(MAXIMUM_UNDERSTOOD)),
  /** The rest of `q`: the words that were searched as such. `q` itself when nothing was read as a filter. */
  words: z.string(),
});
export type Understanding = z.infer<typeof Understanding>;

/** The search without words that mean filters: what {@link Understanding} says of it as parameters. Searching it finds the same. */
export function withUnderstood<Filters extends SearchFilters>(
  filters: Filters,
  { understood, words }: Understanding,
): Filters {
  if (understood.length === 0) return filters;
  const given: Record<string, unknown> = {};
  for (const { name, value } of understood.flatMap(({ parameters }) => parameters)) {
    const values = given[name];
    given[name] = Array.isArray(values) ? [...values, value] : [value];
  }
  const [low, high, sort] = ['min_price', 'max_price', 'sort'].map((name) => [given[name]].flat()[0]);
  const parsed = z.parse(UnderstoodQuery, { ...given, min_price: low, max_price: high, sort });
  const applied = Object.fromEntries(Object.entries(parsed).filter(([name]) => Object.hasOwn(given, name)));
  return { ...filters, ...applied, q: words };
}

const FacetCounts = z.array(z.object({ value: z.string(), count: z.int() }));

/** The maximum number of laptops that a search without matches names. */
export const CLOSEST_LAPTOPS = 6;

const ClosestLaptop = z.object({
  laptop: FoundLaptop,
  /** The filters that it does not match, without the words. */
  filters: z.array(z.string()),
  /** The words that it does not have. */
  words: z.array(z.string()),
});

export const SearchResult = z.object({
  ...Understanding.shape,
  /** The order of the laptops: the given one, one that was read in the words, or the default. */
  sort: z.enum(sortOrders),
  /** The exact number of matching laptops. */
  total: z.int(),
  laptops: z.array(FoundLaptop).check(z.maxLength(MAXIMUM_PAGE_ROWS)),
  /** The cursor of the next page, or null. */
  next: z.nullable(z.string()),
  /** The number of matching laptops before this page. */
  skipped: z.int(),
  /** For each facet the values of laptops that match all other filters, with exact counts; chosen values are always included. */
  facets: z.object(byFacet(() => FacetCounts)),
  /** The words that were searched instead of `words`, when a word of it is unknown and a similar one is known. */
  corrected: z.optional(z.string()),
  /** When nothing matches: filters whose removal gives matches, alone or, if none does, together; with the number of matches. */
  loosen: z.array(z.object({ filters: z.array(z.string()), total: z.int() })),
  /** When nothing matches: the laptops that lack the fewest filters and words, the closest first. */
  closest: z.array(ClosestLaptop).check(z.maxLength(CLOSEST_LAPTOPS)),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const searchLaptops = endpoint({
  method: 'GET',
  path: '/laptops',
  access: 'public',
  summary:
    'Searches the laptops for sale. Filters of several values match one of them; words for prices, places and purposes are filters',
  query: SearchQuery,
  response: SearchResult,
  refusals: ['too_many_requests', 'busy'],
});

/** The maximum number of laptops among suggestions. */
export const MAXIMUM_SUGGESTED_LAPTOPS = 2;

export const Suggestions = z.object({
  /** Searches: those that complete a purpose, such as `video editing`, then the others with most laptops first. */
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
    'Searches that begin like the given words, corrected where a word is unknown, purposes and places among them, and laptops that match',
  query: z.object({ q: typedWords }),
  response: Suggestions,
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
  response: z.array(FoundLaptop).check(z.maxLength(SIMILAR_LAPTOPS)),
  refusals: ['not_found', 'too_many_requests', 'busy'],
});
