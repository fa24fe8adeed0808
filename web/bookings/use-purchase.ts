import { useState } from 'react';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { wish } from '#contract/listings/wishlist.ts';
import { useOwnBookings, useOwnLaptops, useOwnWishlist } from '../requests/own-lists.ts';
import { useWrite } from '../requests/use-write.ts';
import type { RoleCheck } from '../session/roles.ts';
import { usePerson } from '../session/session.tsx';
import type { LaptopToBuy } from './booking-form.tsx';

export type Purchase = ReturnType<typeof usePurchase>;

/** Adds laptops to the wishlist. */
export function useWish() {
  const { email } = usePerson();
  const write = useWrite(wish, {
    done: 'Product added to your wishlist. Please Check it on Dashboard.',
    untilRead: true,
  });
  return {
    /** The id of the laptop whose wishlist request is pending, or null. */
    pendingWishId: write.isPending ? write.variables.body.productCode : null,
    wish: ({ _id: productCode, name: productName, resale_price: price, image }: LaptopToBuy) =>
      write.mutate({ body: { productName, price, image, productCode, email } }),
  };
}

/** Adds laptops to the wishlist, and tells which of many laptops the buyer booked or added before, or sells. */
export function usePurchase(roles: RoleCheck) {
  const isBuyer = roles.status === 'known' && roles.isBuyer;
  const own = useOwnLaptops(isBuyer && roles.isSeller);
  const bookings = useOwnBookings(isBuyer);
  const wishlist = useOwnWishlist(isBuyer);
  const [bookedIds, setBookedIds] = useState<readonly string[]>([]);
  return {
    ...useWish(),
    isOwn: ({ _id }: Pick<Laptop, '_id'>) => (own.data ?? []).some((laptop) => laptop._id === _id),
    isBooked: ({ _id }: Pick<Laptop, '_id'>) =>
      bookedIds.includes(_id) ||
      (bookings.data ?? []).some((entry) => entry.productCode === _id && entry.state !== 'Cancelled'),
    isWished: ({ _id }: Pick<Laptop, '_id'>) =>
      (wishlist.data ?? []).some((entry) => entry.productCode === _id),
    /** The id of the buyer's unpaid booking of a laptop, or null. */
    unpaidBookingId: ({ _id }: Pick<Laptop, '_id'>) =>
      bookings.data?.find((entry) => entry.productCode === _id && entry.state === 'Unpaid')?._id ?? null,
    /** Counts a laptop as booked before the bookings are read again. */
    addBooked: ({ _id }: Pick<Laptop, '_id'>) => setBookedIds((before) => [...before, _id]),
  };
}
