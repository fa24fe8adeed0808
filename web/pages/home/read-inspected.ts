import { inspectedLevels } from '#contract/listings/levels.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';
import { type TileLaptop, toTileLaptop } from '../../laptops/tile-laptop.ts';

/** Milliseconds after which the page is sent without them. */
const TIMEOUT = 500;

/** Reads the newest laptops for sale that the shop has inspected. @returns none when they cannot be read, which is reported */
export async function readInspected(client: Client, report: (error: unknown) => void): Promise<TileLaptop[]> {
  try {
    const query = { level: inspectedLevels, limit: 4 };
    const found = await client.call(searchLaptops, { query, signal: AbortSignal.timeout(TIMEOUT) });
    return found.laptops.map(toTileLaptop);
  } catch (error) {
    report(error);
    return [];
  }
}
