import type { Laptop } from '#contract/listings/catalogue.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';

/** The model in the hero video, by the name under which it is listed. */
const MODEL = 'HP EliteBook 840 G8';

/** Milliseconds after which the page is sent without it. */
const TIMEOUT = 500;

export type FilmedLaptop = Pick<Laptop, '_id' | 'name' | 'resale_price'>;

/** Finds a laptop for sale of the model in the hero video: among the advertised laptops, else by a search. */
export async function readFilmedLaptop(
  client: Client,
  advertised: readonly FilmedLaptop[],
): Promise<FilmedLaptop | null> {
  const isFilmed = ({ name }: FilmedLaptop) => name === MODEL;
  const search = { query: { q: MODEL, limit: 4 }, signal: AbortSignal.timeout(TIMEOUT) };
  const filmed =
    advertised.find(isFilmed) ?? (await client.call(searchLaptops, search)).laptops.find(isFilmed);
  return filmed === undefined
    ? null
    : { _id: filmed._id, name: filmed.name, resale_price: filmed.resale_price };
}
