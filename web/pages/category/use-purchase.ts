import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { book } from '#contract/bookings.ts';
import type { Laptop } from '#contract/catalogue.ts';
import { wish } from '#contract/wishlist.ts';
import type { MeetingDetails } from '../../bookings/meeting-details.ts';
import { createAttempts } from '../../requests/idempotency-keys.ts';
import { ownListKeys, useOwnBookings, useOwnWishlist } from '../../requests/own-lists.ts';
import { useApi, useSession } from '../../session/session.tsx';
import { toast } from '../../ui/toast.tsx';

export interface Purchase {
  isBooked(laptop: Laptop): boolean;
  isWished(laptop: Laptop): boolean;
  /** The laptop that is being added to the wishlist right now. */
  wishing: string | null;
  wish(laptop: Laptop): void;
  /** Books; answers whether it was acknowledged. @throws Problem */
  book(laptop: Laptop, details: MeetingDetails): Promise<{ acknowledged: boolean; message: string }>;
}

const attempts = { wish: createAttempts(), booking: createAttempts() };

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Please try again.';
}

/** Booking and wishing, and what this buyer has booked and wished for already. */
export function usePurchase(isBuyer: boolean): Purchase {
  const api = useApi();
  const session = useSession();
  const queryClient = useQueryClient();
  const bookings = useOwnBookings(isBuyer);
  const wishlist = useOwnWishlist(isBuyer);
  const [done, setDone] = useState<{ booked: readonly string[]; wished: readonly string[] }>({
    booked: [],
    wished: [],
  });
  const person = session.status === 'signed-in' ? session.person : null;

  const wishMutation = useMutation({
    mutationFn: (laptop: Laptop) => {
      const body = {
        productName: laptop.name,
        price: laptop.resale_price,
        image: laptop.image,
        productCode: laptop._id,
        email: person?.email,
      };
      return attempts.wish.once(`${person?.email} ${laptop._id}`, body, ({ idempotencyKey }) =>
        api.call(wish, { body, idempotencyKey }),
      );
    },
    onSuccess: (answer, laptop) => {
      if (answer.acknowledged) {
        setDone((before) => ({ ...before, wished: [...before.wished, laptop._id] }));
        toast.success('Product added to your wishlist. Please Check it on Dashboard.');
      } else {
        toast.error(answer.message);
      }
      void queryClient.invalidateQueries({ queryKey: ownListKeys.wishlist });
    },
    onError: (error) => toast.error(messageOf(error)),
  });

  const bookMutation = useMutation({
    mutationFn: ({ laptop, details }: { laptop: Laptop; details: MeetingDetails }) => {
      const body = {
        productName: laptop.name,
        price: laptop.resale_price,
        buyerName: person?.name,
        email: person?.email,
        phone: details.phone,
        location: details.location,
        image: laptop.image,
        productCode: laptop._id,
      };
      return attempts.booking.once(`${person?.email} ${laptop._id}`, body, ({ idempotencyKey }) =>
        api.call(book, { body, idempotencyKey }),
      );
    },
    onSuccess: (answer, { laptop }) => {
      if (answer.acknowledged) {
        setDone((before) => ({ ...before, booked: [...before.booked, laptop._id] }));
      }
      void queryClient.invalidateQueries({ queryKey: ownListKeys.bookings });
    },
  });

  return {
    isBooked: ({ _id }) =>
      done.booked.includes(_id) ||
      (bookings.data ?? []).some((entry) => entry.productCode === _id && entry.state !== 'Cancelled'),
    isWished: ({ _id }) =>
      done.wished.includes(_id) || (wishlist.data ?? []).some((entry) => entry.productCode === _id),
    wishing: wishMutation.isPending ? wishMutation.variables._id : null,
    wish: (laptop) => wishMutation.mutate(laptop),
    book: (laptop, details) => bookMutation.mutateAsync({ laptop, details }),
  };
}
