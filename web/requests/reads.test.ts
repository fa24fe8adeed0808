import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { readViewerStatus } from '#contract/listings/catalogue.ts';
import { listWishlist } from '#contract/listings/wishlist.ts';
import { resourceOf } from '#contract/platform/endpoint.ts';
import { book, listBookings, readBooking } from '#contract/sales/bookings.ts';
import { resourcesOfChange } from '../live/read-change.ts';
import { queryKeyOf, refetchChanged, toDo } from './reads.ts';

test('what a call or a live change says to be changed is a resource that some call reads', () => {
  const read = new Set([...calls.values()].filter(({ method }) => method === 'GET').map(resourceOf));
  for (const [name, { changes = [] }] of calls) {
    for (const resource of changes)
      expect(['everything', ...read], `${name}: ${resource}`).toContain(resource);
  }
  for (const resource of [toDo, ...Object.values(resourcesOfChange).flat()]) expect(read).toContain(resource);
});

test('a booking makes bookings and one’s part in laptops stale, and nothing else', async () => {
  const queries = new QueryClient();
  const keys = [
    queryKeyOf(listBookings),
    queryKeyOf(readBooking, { params: { _id: 'one' } }),
    queryKeyOf(readViewerStatus, { params: { _id: 'one' } }),
    queryKeyOf(listWishlist),
  ];
  for (const key of keys) queries.setQueryData(key, []);
  await refetchChanged(queries, book);
  expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, false]);
});
