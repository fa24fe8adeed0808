import { type CacheDependencies, unchanging } from '#server/platform/http/cache-dependencies.ts';

// The names of what responses show. The database sends the same names when a transaction changes the catalogue: see
// `tags_of_change` in server/platform/database/schema/listings.sql.

/** The channel of PostgreSQL on which it sends them, as a JSON array. */
export const CATALOGUE_CHANNEL = 'catalogue_changed';

/** Anything about one laptop. */
export const laptopTag = (id: string): string => `laptop ${id}`;

/** Which laptops of a brand are for sale. */
export const brandTag = (brand: string): string => `brand ${brand}`;

/** Which laptops for sale are advertised. */
export const ADVERTISED_TAG = 'advertised';

/** Anything that a search matches, counts or orders by. */
export const SEARCH_TAG = 'search';

/** Which laptop for sale of a brand, with a size of memory or of both, is the newest. A removed one changes only what shows it. */
export function newestTag({ brand, memory }: { brand?: string; memory?: number }): string {
  return ['newest', brand, memory === undefined ? undefined : `with ${memory} GB`]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** A seller's name, verification and reputation. */
export const sellerTag = (id: string): string => `seller ${id}`;

/** The sellers that a response shows. */
export const sellersOf = ({ tags }: CacheDependencies): string[] =>
  tags.filter((tag) => tag.startsWith(sellerTag(''))).map((tag) => tag.slice(sellerTag('').length));

/** Which laptops of a seller are for sale. */
export const offersTag = (sellerId: string): string => `offers of ${sellerId}`;

/** A list of laptops. @param membership the tags of a change of which laptops are in it */
export function laptopDependencies(
  laptops: readonly { _id: string; seller_id: string }[],
  membership: readonly string[],
): CacheDependencies {
  const sellers = new Set(laptops.map(({ seller_id }) => sellerTag(seller_id)));
  return { tags: [...membership, ...laptops.map(({ _id }) => laptopTag(_id)), ...sellers], until: null };
}

export { unchanging };
