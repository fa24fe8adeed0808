import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Booking, listBookings } from '#contract/bookings.ts';
import type { Page } from '#contract/client.ts';
import { listWishlist, type WishlistItem } from '#contract/wishlist.ts';
import { useApi, useSession } from '../session/session.tsx';

/** The query keys of these lists. A change of a list must invalidate its key. */
export const ownListKeys = { bookings: ['bookings'], wishlist: ['wishlists'] } as const;

function useEmail(): string | null {
  const session = useSession();
  return session.status === 'signed-in' ? session.person.email : null;
}

/** The most pages that are read of a list. */
const MAXIMUM_PAGES = 10;

/** Reads a list page by page, up to {@link MAXIMUM_PAGES}. */
async function readAll<Item>(read: (cursor: { cursor?: string }) => Promise<Page<Item[]>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < MAXIMUM_PAGES; count += 1) {
    const page: Page<Item[]> = await read(cursor === null ? {} : { cursor });
    items.push(...page.items);
    cursor = page.next;
    if (cursor === null) break;
  }
  return items;
}

/** All bookings of the signed-in user. */
export function useOwnBookings(enabled = true): UseQueryResult<Booking[]> {
  const api = useApi();
  const email = useEmail();
  return useQuery({
    queryKey: [...ownListKeys.bookings, 'whole', email],
    enabled: enabled && email !== null,
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        api.page(listBookings, { query: { ...cursor, ...(email !== null && { email }) }, signal }),
      ),
  });
}

/** The whole wishlist of the signed-in user. */
export function useOwnWishlist(enabled = true): UseQueryResult<WishlistItem[]> {
  const api = useApi();
  const email = useEmail();
  return useQuery({
    queryKey: [...ownListKeys.wishlist, 'whole', email],
    enabled: enabled && email !== null,
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        api.page(listWishlist, { query: { ...cursor, ...(email !== null && { email }) }, signal }),
      ),
  });
}
