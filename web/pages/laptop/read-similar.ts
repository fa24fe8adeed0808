import type { LaptopDetails } from '#contract/catalogue.ts';
import type { Client } from '#contract/client.ts';
import { searchLaptops } from '#contract/search.ts';
import { type TileLaptop, toTileLaptop } from '../../laptops/tile-laptop.ts';

/** The number of similar laptops on a page. */
const SHOWN = 4;

/** Milliseconds after which the page is sent without similar laptops. */
const TIMEOUT = 1_500;

/**
 * Reads laptops for sale that are similar: of the same brand with the same memory first, then of the brand, then with the
 * memory; the newest first.
 * @returns null when they cannot be read, which is reported
 */
export async function readSimilar(
  client: Client,
  { _id, category_Id, facts: { memory } }: LaptopDetails,
  report: (error: unknown) => void,
): Promise<TileLaptop[] | null> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const search = async (filters: { brand?: string; memory?: number }) => {
    // One more than shown, because the laptop itself may be among them.
    const { laptops } = await client.call(searchLaptops, { query: { ...filters, limit: SHOWN + 1 }, signal });
    return laptops;
  };
  try {
    const found = await Promise.all([
      ...(memory === undefined ? [] : [search({ brand: category_Id, memory })]),
      search({ brand: category_Id }),
      ...(memory === undefined ? [] : [search({ memory })]),
    ]);
    const byId = new Map(found.flat().map((laptop) => [laptop._id, laptop]));
    byId.delete(_id);
    return [...byId.values()].slice(0, SHOWN).map(toTileLaptop);
  } catch (error) {
    report(error);
    return null;
  }
}
