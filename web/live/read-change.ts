import type { QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { LiveChange } from '#contract/platform/live.ts';
import { toDo } from '../requests/reads.ts';
import { refetch } from '../requests/refetch.ts';

/**
 * The resources that a change is read from. Whatever else happens to a person, and waits for them, is told in a notification: that a
 * laptop has left the shop, has another price or was booked, too.
 */
export const resourcesOfChange = {
  notifications: ['notifications', 'unseenNotifications', 'bookings', 'myBuyers', toDo],
  messages: ['conversations', 'unreadConversations', toDo],
  orders: ['orders'],
} as const satisfies Record<Exclude<LiveChange['about'], 'everything'>, readonly string[]>;

const OfRow = z.object({ params: z.object({ _id: z.string() }) });

/** Reads again what is shown of a change: of one row, only the lists and that row. */
export function readChange(queries: QueryClient, { about, id }: LiveChange): Promise<void> {
  const changed: readonly unknown[] =
    about === 'everything' ? Object.values(resourcesOfChange).flat() : resourcesOfChange[about];
  return refetch(queries, {
    predicate: ({ queryKey: [resource, , input] }) => {
      const row = z.safeParse(OfRow, input).data?.params._id ?? id;
      return changed.includes(resource) && (id === undefined || row === id);
    },
  });
}
