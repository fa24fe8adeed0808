import type { Reader } from '../database/tables.ts';
import { find } from './store.ts';

export { clearWishlist } from './store.ts';

/** Finds one of a buyer's own wishlist items. @returns its laptop's id, or null */
export async function findWishlistLaptopId(
  reader: Reader,
  buyerId: string,
  itemId: string,
): Promise<string | null> {
  return (await find(reader, buyerId, itemId))?.laptop_id ?? null;
}
