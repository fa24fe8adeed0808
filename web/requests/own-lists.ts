import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { listWishlist, type WishlistItem } from '#contract/listings/wishlist.ts';
import type { Page } from '#contract/platform/client.ts';
import { type Booking, listBookings } from '#contract/sales/bookings.ts';
import { useApi, usePerson } from '../session/session.tsx';

/** The query keys of these lists. A change of a list must invalidate its key. */
export const ownListKeys = { bookings: ['bookings'], wishlist: ['wishlists'] } as const;

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

type OwnQuery = { email: string; cursor?: string };

function useWholeList<Item>(
  key: readonly string[],
  enabled: boolean,
  read: (query: OwnQuery, signal: AbortSignal) => Promise<Page<Item[]>>,
): UseQueryResult<Item[]> {
  const { email } = usePerson();
  return useQuery({
    queryKey: [...key, 'whole', email],
    enabled,
    queryFn: ({ signal }) => readAll((cursor) => read({ ...cursor, email }, signal)),
  });
}

/** All bookings of the signed-in user. */
export function useOwnBookings(enabled: boolean): UseQueryResult<Booking[]> {
  const api = useApi();
  return useWholeList(ownListKeys.bookings, enabled, (query, signal) =>
    api.page(listBookings, { query, signal }),
  );
}

/** The whole wishlist of the signed-in user. */
export function useOwnWishlist(enabled: boolean): UseQueryResult<WishlistItem[]> {
  const api = useApi();
  return useWholeList(ownListKeys.wishlist, enabled, (query, signal) =>
    api.page(listWishlist, { query, signal }),
  );
}
