import type { Reader, Transaction } from '../database/tables.ts';
import * as store from './store.ts';

/** Finds one of a buyer's own wishlist items. @returns its laptop's id, or null */
export async function findWishlistLaptopId(
  reader: Reader,
  buyerId: string,
  itemId: string,
): Promise<string | null> {
  return (await store.find(reader, buyerId, itemId))?.laptop_id ?? null;
}

/** Removes all items of a buyer's wishlist. */
export function clearWishlist(transaction: Transaction, buyerId: string): Promise<void> {
  return store.removeAll(transaction, buyerId);
}
