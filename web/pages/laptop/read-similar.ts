import { listSimilar } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';
import { type TileLaptop, toTileLaptop } from '../../laptops/tile-laptop.ts';

/** Milliseconds after which the page is sent without similar laptops. */
const TIMEOUT = 1_500;

/**
 * Reads laptops for sale that are similar.
 * @returns null when they cannot be read, which is reported
 */
export async function readSimilar(
  client: Client,
  { _id }: { _id: string },
  report: (error: unknown) => void,
): Promise<TileLaptop[] | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const laptops = await client.call(listSimilar, { params: { _id }, signal });
    return laptops.map(toTileLaptop);
  } catch (error) {
    report(error);
    return null;
  }
}
