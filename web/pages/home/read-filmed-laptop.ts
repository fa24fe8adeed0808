import type { Laptop } from '#contract/listings/catalogue.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';

/** The model in the hero video, by the name under which it is listed. */
const MODEL = 'HP EliteBook 840 G8';

/** Milliseconds after which the page is sent without it. */
const TIMEOUT = 500;

export type FilmedLaptop = Pick<Laptop, '_id' | 'name' | 'resale_price'>;

/**
 * Finds a laptop for sale of the model in the hero video: among the advertised laptops, else by a search.
 * @returns null when there is none, or when it cannot be read, which is reported
 */
export async function readFilmedLaptop(
  client: Client,
  advertised: readonly FilmedLaptop[],
  report: (error: unknown) => void,
): Promise<FilmedLaptop | null> {
  const isFilmed = ({ name }: FilmedLaptop) => name === MODEL;
  const pick = ({ _id, name, resale_price }: FilmedLaptop) => ({ _id, name, resale_price });
  const filmed = advertised.find(isFilmed);
  if (filmed !== undefined) return pick(filmed);
  try {
    const query = { q: MODEL, limit: 4 };
    const found = await client.call(searchLaptops, { query, signal: AbortSignal.timeout(TIMEOUT) });
    const laptop = found.laptops.find(isFilmed);
    return laptop === undefined ? null : pick(laptop);
  } catch (error) {
    report(error);
    return null;
  }
}
