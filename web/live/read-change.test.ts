import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { listToDo } from '#contract/operations/to-do.ts';
import { listNotifications } from '#contract/people/notifications.ts';
import type { LiveChange } from '#contract/platform/live.ts';
import { listBookings, listOwnBuyers } from '#contract/sales/bookings.ts';
import { listConversations, listMessages, readConversation } from '#contract/sales/messages.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { queryKeyOf } from '../requests/reads.ts';
import { readChange } from './read-change.ts';

const row = (_id: string) => ({ params: { _id } });
const shown = {
  toDo: queryKeyOf(listToDo, {}),
  notifications: queryKeyOf(listNotifications, { query: { limit: 30 } }),
  conversations: queryKeyOf(listConversations, {}),
  conversation: queryKeyOf(readConversation, row('7')),
  messages: queryKeyOf(listMessages, row('7')),
  otherMessages: queryKeyOf(listMessages, row('8')),
  order: queryKeyOf(readOrder, row('7')),
  bookings: queryKeyOf(listBookings, { query: {} }),
  buyers: queryKeyOf(listOwnBuyers, { query: {} }),
};

test.each<[string, LiveChange, string[]]>([
  [
    'of a conversation',
    { about: 'messages', id: '7' },
    ['toDo', 'conversations', 'conversation', 'messages'],
  ],
  [
    'of all messages',
    { about: 'messages' },
    ['toDo', 'conversations', 'conversation', 'messages', 'otherMessages'],
  ],
  ['of another order', { about: 'orders', id: '8' }, []],
  ['of notifications', { about: 'notifications' }, ['toDo', 'notifications', 'bookings', 'buyers']],
  ['that was missed', { about: 'everything' }, Object.keys(shown)],
])('a change %s is read where it is shown', async (_, change, expected) => {
  const queries = new QueryClient();
  const read: string[] = [];
  for (const [name, queryKey] of Object.entries(shown)) {
    queries.setQueryData<string>(queryKey, name);
    const queryFn = async () => {
      read.push(name);
      return name;
    };
    onTestFinished(
      new QueryObserver(queries, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(
        () => undefined,
      ),
    );
  }
  await readChange(queries, change);
  expect(read.toSorted()).toEqual(expected.toSorted());
});
