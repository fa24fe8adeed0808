import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Booking, listBookings } from '#contract/bookings.ts';
import { listWishlist, type WishlistItem } from '#contract/wishlist.ts';
import { useApi, useSession } from '../session/session.tsx';

/** The keys under which these lists are cached; to be invalidated by whatever changes them. */
export const ownListKeys = { bookings: ['bookings'], wishlist: ['wishlists'] } as const;

function useEmail(): string | null {
  const session = useSession();
  return session.status === 'signed-in' ? session.person.email : null;
}

/** The orders of who is signed in. */
export function useOwnBookings(enabled = true): UseQueryResult<Booking[]> {
  const api = useApi();
  const email = useEmail();
  return useQuery({
    queryKey: [...ownListKeys.bookings, 'whole', email],
    enabled: enabled && email !== null,
    queryFn: ({ signal }) => api.call(listBookings, { query: email === null ? {} : { email }, signal }),
  });
}

/** The wishlist of who is signed in. */
export function useOwnWishlist(enabled = true): UseQueryResult<WishlistItem[]> {
  const api = useApi();
  const email = useEmail();
  return useQuery({
    queryKey: [...ownListKeys.wishlist, 'whole', email],
    enabled: enabled && email !== null,
    queryFn: ({ signal }) => api.call(listWishlist, { query: email === null ? {} : { email }, signal }),
  });
}
