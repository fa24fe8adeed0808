import * as z from 'zod/mini';
import { ratedSeller } from '#contract/people/ratings.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import {
  Acknowledged,
  Deleted,
  Email,
  Id,
  ignoredPrice,
  MoneyAmount,
  optionalLine,
  Paging,
} from '#contract/platform/scalars.ts';
import { Facts } from './fact-names.ts';
import { conditions, deliveryOffers } from './laptop-schemas.ts';
import { levelFields } from './levels.ts';

export const WishlistItem = z.object({
  _id: Id,
  productName: z.string(),
  price: MoneyAmount,
  image: z.string(),
  productCode: Id,
  sellerName: z.string(),
  ...ratedSeller,
  email: z.string(),
  paid: z.boolean(),
  condition: z.enum(conditions),
  delivery: z.enum(deliveryOffers),
  ships_from: z.optional(z.string()),
  facts: Facts,
  ...levelFields,
  /**
   * `Sold`: another buyer bought it. `Gone`: it left the shop unsold. `Paused`: it cannot be bought until a lock that was found
   * on it is released.
   */
  state: z.enum(['Available', 'Purchased', 'Sold', 'Gone', 'Paused']),
});
export type WishlistItem = z.infer<typeof WishlistItem>;

/** Only `productCode` is used. The specification sends the other fields, which are ignored. */
export const NewWishlistItem = z.object({
  productName: optionalLine(300),
  price: ignoredPrice,
  image: optionalLine(2000),
  productCode: Id,
  email: optionalLine(300),
});

export const listWishlist = endpoint({
  method: 'GET',
  path: '/wishlists',
  access: 'signed-in',
  summary: 'The caller’s own wishlist, newest first',
  query: z.extend(Paging, { email: z.optional(Email) }),
  response: z.array(WishlistItem),
  refusals: ['not_allowed'],
});

export const readWishlistItem = endpoint({
  method: 'GET',
  path: '/wishlists/:_id',
  access: 'signed-in',
  summary: 'One of the caller’s own wishlist items',
  params: z.object({ _id: Id }),
  response: WishlistItem,
  refusals: ['not_found'],
});

export const wish = endpoint({
  method: 'POST',
  path: '/wishlists',
  access: ['Buyer'],
  summary: 'Adds a laptop to the caller’s wishlist',
  body: NewWishlistItem,
  response: Acknowledged,
  refusals: ['not_found'],
  idempotencyKey: true,
  changes: ['laptops'],
});

export const removeWish = endpoint({
  method: 'DELETE',
  path: '/wishlists/:_id',
  access: ['Buyer'],
  summary: 'Removes an item from the caller’s wishlist; `deletedCount` is 0 when it is not there',
  params: z.object({ _id: Id }),
  response: Deleted,
  changes: ['laptops'],
});
