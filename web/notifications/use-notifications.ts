import { type UseQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  countUnseenNotifications,
  listNotifications,
  markNotificationSeen,
  markNotificationsSeen,
  type NotificationEntry,
} from '#contract/people/notifications.ts';
import type { Client } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';
import { readAnew } from '../requests/read-anew.ts';
import { useApi } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';

/** The key with which all queries of notifications begin. */
export const notificationsKey = 'notifications';

/** The key of the query of new messages, which no notification tells of yet. */
export const newMessagesKey = ['messages', 'new'];

/** The number of notifications that the bell shows. */
const NEWEST = 10;

export const unseenCountQuery = (api: Client): UseQueryOptions<number> => ({
  queryKey: [notificationsKey, 'unseen'],
  queryFn: async ({ signal }) => (await api.call(countUnseenNotifications, { signal })).count,
});

export const newestQuery = (api: Client): UseQueryOptions<NotificationEntry[]> => ({
  queryKey: [notificationsKey, 'newest'],
  queryFn: ({ signal }) => api.call(listNotifications, { query: { limit: NEWEST }, signal }),
});

/** Returns a function that reads the notifications again. */
export function useRefreshNotifications(): () => Promise<void> {
  const cache = useQueryClient();
  return () => readAnew(cache, { queryKey: [notificationsKey] });
}

/** Returns a function that marks an opened notification as seen. The person is on the way to its page, so a failure is not shown. */
export function useMarkSeen(): (entry: Pick<NotificationEntry, '_id' | 'seen'>) => void {
  const api = useApi();
  const refresh = useRefreshNotifications();
  return ({ _id, seen }) => {
    if (seen) return;
    api.call(markNotificationSeen, { params: { _id }, keepalive: true }).then(refresh, () => undefined);
  };
}

/** Marks a notification and all earlier ones as seen. */
export function useMarkAllSeen() {
  const api = useApi();
  const refresh = useRefreshNotifications();
  return useMutation({
    mutationFn: (newest: Pick<NotificationEntry, '_id'>) =>
      api.call(markNotificationsSeen, { params: { _id: newest._id } }),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: refresh,
  });
}
