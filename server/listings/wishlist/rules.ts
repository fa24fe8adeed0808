import type { WishlistItem } from '#contract/listings/wishlist.ts';
import { amountFromCents } from '#contract/platform/scalars.ts';
import type { Row } from '#server/platform/database/tables.ts';
import {
  deliveryResponse,
  factsResponse,
  type LevelColumns,
  type ListedFactColumns,
  levelResponse,
  ratedSeller,
  type SellerRatingColumns,
} from '../catalogue/rules.ts';

/** A wishlist item joined with its laptop. */
export interface WishlistRow
  extends ListedFactColumns,
    LevelColumns,
    SellerRatingColumns,
    Pick<
      Row<'laptops'>,
      'name' | 'images' | 'resale_price_cents' | 'condition' | 'delivery' | 'ships_from' | 'state'
    > {
  id: string;
  number: string;
  laptop_id: string;
  seller_name: string;
  sold_to_id: string | null;
}

/** The state of an item: available, bought by its owner, bought by another buyer, withdrawn, or blocked. */
export function wishState(
  laptop: Pick<WishlistRow, 'state' | 'sold_to_id'>,
  buyerId: string,
): WishlistItem['state'] {
  if (laptop.state === 'available') return 'Available';
  if (laptop.state === 'sold') return laptop.sold_to_id === buyerId ? 'Purchased' : 'Sold';
  return laptop.state === 'blocked' ? 'Paused' : 'Gone';
}

/** The response for an item. @param photoUrl makes the public URL of a stored photo */
export function toResponse(
  row: WishlistRow,
  buyer: { userId: string; email: string },
  photoUrl: (photo: string) => string,
): WishlistItem {
  const state = wishState(row, buyer.userId);
  return {
    _id: row.id,
    productName: row.name,
    price: amountFromCents(row.resale_price_cents),
    image: photoUrl(row.images[0] ?? ''),
    productCode: row.laptop_id,
    sellerName: row.seller_name,
    ...ratedSeller(row),
    email: buyer.email,
    paid: state === 'Purchased',
    condition: row.condition,
    ...deliveryResponse(row),
    facts: factsResponse(row),
    ...levelResponse(row),
    state,
  };
}
