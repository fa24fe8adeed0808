import { dollarsFromCents } from '#contract/scalars.ts';
import type { WishlistItem } from '#contract/wishlist.ts';

/** A wishlist item joined with its laptop. */
export interface WishedLaptop {
  id: string;
  number: string;
  laptop_id: string;
  name: string;
  images: string[];
  resale_price_cents: number;
  state: 'available' | 'sold' | 'withdrawn' | 'taken_down';
  sold_to_id: string | null;
}

/** How an item stands with its owner: bought by the owner, bought by somebody else, gone, or still to be had. */
export function wishState(
  laptop: Pick<WishedLaptop, 'state' | 'sold_to_id'>,
  buyerId: string,
): WishlistItem['state'] {
  if (laptop.state === 'available') return 'Available';
  if (laptop.state === 'sold') return laptop.sold_to_id === buyerId ? 'Purchased' : 'Sold';
  return 'Gone';
}

/** An item as it travels. @param shown how a stored photo travels */
export function toResponse(
  row: WishedLaptop,
  buyer: { userId: string; email: string },
  shown: (photo: string) => string,
): WishlistItem {
  const state = wishState(row, buyer.userId);
  return {
    _id: row.id,
    productName: row.name,
    price: dollarsFromCents(row.resale_price_cents),
    image: shown(row.images[0] ?? ''),
    productCode: row.laptop_id,
    email: buyer.email,
    paid: state === 'Purchased',
    state,
  };
}
