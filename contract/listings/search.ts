import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, isOneLine, MAXIMUM_PAGE_ROWS, Paging } from '#contract/platform/scalars.ts';
import { GraphicsKind, OperatingSystem, ProcessorFamily, ProcessorGeneration } from './fact-names.ts';
import { BrandId, conditions, Laptop } from './laptop-schemas.ts';
import { inspectedLevels, LevelName } from './levels.ts';

/** The maximum number of chosen values per filter. */
export const MAXIMUM_FILTER_VALUES = 50;

/** The maximum length of the searched words, in characters. */
export const MAXIMUM_SEARCH_LENGTH = 100;

/** The maximum number of sets of filters that a search without matches names. */
export const MAXIMUM_LOOSENED = 3;

/**
 * One value or several with the same name, as forms send checkboxes; without duplicates, in ascending order.
 * @param expand the values that a given one stands for
 */
function values<Item extends z.ZodMiniType<string | number>>(
  item: Item,
  expand: (given: unknown) => readonly unknown[] = (given) => [given],
) {
  return z.pipe(
    z.pipe(
      z.pipe(
        // Optional in the type of the input.
        z._default(z.unknown(), []),
        z.transform((given: unknown) => (Array.isArray(given) ? given : [given]).flatMap(expand)),
      ),
      z
        .array(z.unknown())
        .check(z.maxLength(MAXIMUM_FILTER_VALUES, { error: 'Too many values of a filter', abort: true })),
    ),
    z.pipe(
      z.array(item),
      z.transform((list: z.output<Item>[]) =>
        [...new Set(list)].sort((one, other) => (one < other ? -1 : 1)),
      ),
    ),
  );
}

const wholeNumber = (max: number, error: string) =>
  z.coerce.number({ error }).check(z.int({ error }), z.minimum(1, { error }), z.maximum(max, { error }));

/** A price bound in whole dollars; empty counts as missing, as forms send it. */
const priceBound = z.pipe(
  z.pipe(
    z.optional(z.unknown()),
    z.transform((given: unknown) => (given === '' ? undefined : given)),
  ),
  z.optional(wholeNumber(1_000_000, 'A price filter is in whole dollars')),
);

/** The screen size under which a diagonal in inches is counted. */
export const screenSizeOf = (inches: number): number => Math.min(17, Math.max(12, Math.floor(inches)));

/** The least capacities of a battery that are filtered by, in percent of the one when new; the largest first. */
export const batteryFloors = [90, 80, 70] as const;

/** The largest of {@link batteryFloors} that a battery reaches. @param percent its capacity; null when unknown */
export const batteryFloorOf = (percent: number | null): number | undefined =>
  batteryFloors.find((floor) => percent !== null && percent >= floor);

const oneLine = (max: number, ...first: z.core.$ZodCheck<string>[]) =>
  z
    .string({ error: 'This must be a text' })
    .check(
      ...first,
      z.trim(),
      z.maxLength(max, { error: `At most ${max} characters, please`, abort: true }),
      z.refine(isOneLine),
    );

/** Removes characters that are not displayed, such as zero-width spaces and soft hyphens. They come along with pasted texts. */
export const withoutIgnorable = (text: string): string =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');

const typedWords = oneLine(MAXIMUM_SEARCH_LENGTH, z.overwrite(withoutIgnorable));

/** The filters of which several values can be chosen: a laptop matches one of them. */
export const facetFilters = {
  brand: values(BrandId),
  condition: values(z.enum(conditions, { error: 'Unknown condition' })),
  /** `inspected`, in links and saved searches of earlier versions, is both kinds of inspection. */
  level: values(LevelName, (level) => (level === 'inspected' ? inspectedLevels : [level])),
  memory: values(wholeNumber(1024, 'Memory is in gigabytes')),
  storage: values(wholeNumber(65_536, 'Storage is in gigabytes')),
  screen: values(wholeNumber(17, 'Screen sizes are 12 to 17 inches')),
  /** At least so many percent, so that the lowest chosen value decides. */
  battery: values(
    wholeNumber(100, 'The battery is in percent').check(
      z.refine((percent) => batteryFloors.some((floor) => floor === percent), {
        error: `Batteries are filtered by at least ${batteryFloors.toReversed().join(', ')} percent`,
      }),
    ),
  ),
  processor: values(ProcessorFamily),
  generation: values(ProcessorGeneration),
  graphics: values(GraphicsKind),
  system: values(OperatingSystem),
  place: values(oneLine(120).check(z.minLength(1))),
} as const;
export type FacetName = keyof typeof facetFilters | 'verified';

export const sortOrders = ['newest', 'price', '-price', 'saving', 'relevance'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Filters of a search. A laptop matches all of them. */
export const SearchFilters = z.object({
  /** Words of the name, brand and configuration; all must match. */
  q: z._default(typedWords, ''),
  ...facetFilters,
  /** Only laptops of verified sellers. */
  verified: z.optional(z.literal('yes', { error: 'verified is yes or missing' })),
  /** Bounds of the resale price in whole dollars, inclusive. */
  min_price: priceBound,
  max_price: priceBound,
});
export type SearchFilters = z.output<typeof SearchFilters>;

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
  facets: z.object({
    brand: FacetCounts,
    condition: FacetCounts,
    level: FacetCounts,
    memory: FacetCounts,
    storage: FacetCounts,
    screen: FacetCounts,
    /** Laptops with at least each share of the capacity, so that one with 95 percent is counted under each. */
    battery: FacetCounts,
    processor: FacetCounts,
    generation: FacetCounts,
    graphics: FacetCounts,
    system: FacetCounts,
    verified: FacetCounts,
    /** The most frequent places only. */
    place: FacetCounts,
  }),
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
