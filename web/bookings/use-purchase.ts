import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { wish } from '#contract/listings/wishlist.ts';
import { errorMessage } from '../requests/error-message.ts';
import { createIdempotencyKeys } from '../requests/idempotency-keys.ts';
import { ownListKeys, useOwnBookings, useOwnWishlist } from '../requests/own-lists.ts';
import { useApi, usePerson } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';
import { type MeetingDetails, useBookLaptop } from './use-book-laptop.ts';

/** A laptop as booking and wishing need it. */
export type LaptopToBuy = Pick<Laptop, '_id' | 'name' | 'resale_price' | 'image'>;

export type Purchase = ReturnType<typeof usePurchase>;

const idempotencyKeys = createIdempotencyKeys();

/** Books laptops and adds them to the wishlist. It also tells which laptops the buyer booked or added before. */
export function usePurchase(isBuyer: boolean) {
  const api = useApi();
  const { email } = usePerson();
  const queryClient = useQueryClient();
  const bookLaptop = useBookLaptop();
  const bookings = useOwnBookings(isBuyer);
  const wishlist = useOwnWishlist(isBuyer);
  const [bookedIds, setBookedIds] = useState<readonly string[]>([]);
  const [wishedIds, setWishedIds] = useState<readonly string[]>([]);

  const wishMutation = useMutation({
    mutationFn: ({ _id, name, resale_price, image }: LaptopToBuy) => {
      const body = { productName: name, price: resale_price, image, productCode: _id, email };
      return idempotencyKeys.send(`${email} ${_id}`, body, ({ idempotencyKey }) =>
        api.call(wish, { body, idempotencyKey }),
      );
    },
    onSuccess: (answer, laptop) => {
      if (answer.acknowledged) {
        setWishedIds((before) => [...before, laptop._id]);
        toast.success('Product added to your wishlist. Please Check it on Dashboard.');
      } else {
        toast.error(answer.message);
      }
      void queryClient.invalidateQueries({ queryKey: ownListKeys.wishlist });
    },
    onError: (error) => toast.error(errorMessage(error)),
  });

  return {
    isBooked: ({ _id }: Pick<Laptop, '_id'>) =>
      bookedIds.includes(_id) ||
      (bookings.data ?? []).some((entry) => entry.productCode === _id && entry.state !== 'Cancelled'),
    isWished: ({ _id }: Pick<Laptop, '_id'>) =>
      wishedIds.includes(_id) || (wishlist.data ?? []).some((entry) => entry.productCode === _id),
    /** The id of the buyer's unpaid booking of a laptop, or null. */
    unpaidBookingId: ({ _id }: Pick<Laptop, '_id'>) =>
      bookings.data?.find((entry) => entry.productCode === _id && entry.state === 'Unpaid')?._id ?? null,
    /** The id of the laptop whose wishlist request is pending, or null. */
    pendingWishId: wishMutation.isPending ? wishMutation.variables._id : null,
    wish: (laptop: LaptopToBuy) => wishMutation.mutate(laptop),
    /** @throws Problem */
    book: async ({ _id, name, resale_price: price, image }: LaptopToBuy, details: MeetingDetails) => {
      const answer = await bookLaptop({ _id, name, price, image }, details);
      if (answer.acknowledged) setBookedIds((before) => [...before, _id]);
      return answer;
    },
  };
}
