import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { listOwnLaptops, type OwnLaptop } from '#contract/listings/catalogue.ts';
import { listWishlist, type WishlistItem } from '#contract/listings/wishlist.ts';
import type { Page } from '#contract/platform/client.ts';
import { type Booking, listBookings } from '#contract/sales/bookings.ts';
import { useApi, usePerson } from '../session/session.tsx';
import { keyOf, type ListEndpoint } from './reads.ts';

/** The most pages that are read of a list. */
const MAXIMUM_PAGES = 10;

/** Reads a list of the signed-in user page by page, up to {@link MAXIMUM_PAGES}. */
function useWholeList<Item>(endpoint: ListEndpoint<Item>, enabled: boolean): UseQueryResult<Item[]> {
  const api = useApi();
  const { email } = usePerson();
  return useQuery({
    queryKey: [...keyOf(endpoint), 'whole'],
    enabled,
    queryFn: async ({ signal }) => {
      const items: Item[] = [];
      let cursor: string | undefined;
      for (let count = 0; count < MAXIMUM_PAGES; count += 1) {
        const input = { params: undefined, query: { email, cursor }, body: undefined, signal };
        const page: Page<Item[]> = await api.page(endpoint, input);
        items.push(...page.items);
        if (page.next === null) break;
        cursor = page.next;
      }
      return items;
    },
  });
}

/** All bookings of the signed-in user. */
export const useOwnBookings = (enabled: boolean): UseQueryResult<Booking[]> =>
  useWholeList(listBookings, enabled);

/** All laptops of the signed-in user, if the user sells. */
export const useOwnLaptops = (enabled: boolean): UseQueryResult<OwnLaptop[]> =>
  useWholeList(listOwnLaptops, enabled);

/** The whole wishlist of the signed-in user. */
export const useOwnWishlist = (enabled: boolean): UseQueryResult<WishlistItem[]> =>
  useWholeList(listWishlist, enabled);
