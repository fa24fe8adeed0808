import * as z from 'zod/mini';
import { byFacet, type FacetName } from '#contract/listings/facets.ts';

const Fact = z.nullable(z.union([z.string(), z.number(), z.boolean()]));

/** What a search reads of a laptop, as the function `searched_facts` of the database returns it. */
export const SearchedFacts = z.object({
  ...byFacet(() => Fact),
  priceCents: z.int(),
  originalCents: z.int(),
  name: z.string(),
  /** The seller's texts of the configuration, without notes, separated by {@link CONFIGURATION_SEPARATOR}. */
  configuration: z.string(),
  /** The beginning of the seller's description. */
  notes: z.string(),
});
export type SearchedFacts = z.infer<typeof SearchedFacts>;

/** A laptop of the index. A missing fact is unknown. */
export interface LaptopRow extends Partial<Pick<SearchedFacts, FacetName>>, Omit<SearchedFacts, FacetName> {
  /** Ascending; the newest laptop has the highest. At most 2^32 - 1. */
  number: number;
  /** Whose new words of descriptions are bounded; missing where a few laptops are matched. */
  sellerId?: string;
}

/** As in the function `configuration_text` of the database. */
export const CONFIGURATION_SEPARATOR = ' / ';
