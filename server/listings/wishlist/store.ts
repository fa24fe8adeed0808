import { sql } from 'kysely';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { listedFactColumns } from '../catalogue/rules.ts';
import type { WishlistRow } from './rules.ts';

function selectItems(reader: Reader, buyerId: string) {
  return reader
    .selectFrom('wishlist_items')
    .innerJoin('laptops', 'laptops.id', 'wishlist_items.laptop_id')
    .innerJoin('users as sellers', 'sellers.id', 'laptops.seller_id')
    .leftJoin('reputations as seller_sums', 'seller_sums.user_id', 'sellers.id')
    .leftJoin('orders', 'orders.id', 'laptops.sold_order_id')
    .where('wishlist_items.buyer_id', '=', buyerId)
    .select([
      'wishlist_items.id',
      'wishlist_items.number',
      'wishlist_items.laptop_id',
      'laptops.name',
      'laptops.images',
      'laptops.resale_price_cents',
      'laptops.condition',
      'laptops.delivery',
      'laptops.ships_from',
      ...listedFactColumns,
      'laptops.level_at',
      'laptops.state',
      'orders.buyer_id as sold_to_id',
      'sellers.id as seller_id',
      'sellers.name as seller_name',
      'sellers.ended_at as seller_ended_at',
      'seller_sums.reviews as seller_reviews',
      'seller_sums.stars as seller_stars',
    ]);
}

/** Lists a buyer's wishlist, newest first. */
export function ofBuyer(reader: Reader, buyerId: string, request: PageRequest): Promise<Page<WishlistRow>> {
  return readPage(selectItems(reader, buyerId), 'wishlist_items.number', request);
}

/** Finds one of a buyer's own items. */
export function find(reader: Reader, buyerId: string, id: string): Promise<WishlistRow | undefined> {
  return selectItems(reader, buyerId).where('wishlist_items.id', '=', id).executeTakeFirst();
}

/** The laptop's id of one of a buyer's own items as a scalar query; null when the buyer has no such item. */
export const wishedLaptopId = (buyerId: string, itemId: string) =>
  sql<string | null>`(select laptop_id from wishlist_items where id = ${itemId} and buyer_id = ${buyerId})`;

/** Inserts an item. @returns its id, or null when the laptop is already on the list */
export async function insert(
  transaction: Transaction,
  buyerId: string,
  laptopId: string,
): Promise<string | null> {
  const row = await transaction
    .insertInto('wishlist_items')
    .values({ buyer_id: buyerId, laptop_id: laptopId })
    .onConflict((conflict) => conflict.constraint('wished_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Removes one of a buyer's own items. @returns whether it was there */
export async function remove(database: Database, buyerId: string, id: string): Promise<boolean> {
  const result = await database
    .deleteFrom('wishlist_items')
    .where('buyer_id', '=', buyerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Removes all items of a buyer's wishlist. */
export async function clearWishlist(transaction: Transaction, buyerId: string): Promise<void> {
  await transaction.deleteFrom('wishlist_items').where('buyer_id', '=', buyerId).execute();
}
