import { LRUCache } from 'lru-cache';
import { MINIMUM_COMPLETED_SALES, type ShopFigures } from '#contract/sales/shop-figures.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { countSales } from './figures-store.ts';

const HOUR_MS = 60 * 60_000;

/** The figures as they are published; null before the shop has completed enough sales. @param minimum completed sales */
export async function publishedFigures(
  reader: Reader,
  minimum = MINIMUM_COMPLETED_SALES,
): Promise<ShopFigures | null> {
  const { completed, ...figures } = await countSales(reader);
  return completed < minimum ? null : figures;
}

/** Creates a reader of the published figures that counts once an hour at most, however often it is called. */
export function createFiguresReader(reader: Reader) {
  const counted = new LRUCache<'figures', { figures: ShopFigures | null }>({
    max: 1,
    ttl: HOUR_MS,
    fetchMethod: async () => ({ figures: await publishedFigures(reader) }),
  });
  return async () => ({
    response: await counted.forceFetch('figures'),
    /** When they are counted again, in milliseconds since 1970. */
    until: Date.now() + counted.getRemainingTTL('figures'),
  });
}
