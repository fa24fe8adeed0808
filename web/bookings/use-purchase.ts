import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Laptop, listOwnLaptops } from '#contract/listings/catalogue.ts';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import type { Page } from '#contract/platform/client.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { useUserCache } from '../requests/query-client.ts';
import { type ListEndpoint, queryKeyOf } from '../requests/reads.ts';
import { useWrite } from '../requests/use-write.ts';
import type { RoleCheck } from '../session/roles.ts';
import { useApi, usePerson } from '../session/session.tsx';
import type { LaptopToBuy } from './booking-form.tsx';

/** The most pages that are read of a list. */
const MAXIMUM_PAGES = 10;

/** Reads a list of the signed-in user page by page, up to {@link MAXIMUM_PAGES}. */
function useWholeList<Item>(endpoint: ListEndpoint<Item>, enabled: boolean): UseQueryResult<Item[]> {
  const api = useApi();
  const { email } = usePerson();
  const query: UseQueryOptions<Item[]> = {
    queryKey: [...queryKeyOf(endpoint), 'whole'],
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
  };
  return useQuery(query, useUserCache());
}

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
  const own = useWholeList(listOwnLaptops, isBuyer && roles.isSeller);
  const bookings = useWholeList(listBookings, isBuyer);
  const wishlist = useWholeList(listWishlist, isBuyer);
  const [bookedIds, setBookedIds] = useState<readonly string[]>([]);
  return {
    ...useWish(),
    /** Whether it is not known yet which laptops the buyer sells or booked. */
    isLoading: own.isLoading || bookings.isLoading,
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
