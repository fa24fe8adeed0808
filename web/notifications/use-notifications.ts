import { useQueryClient } from '@tanstack/react-query';
import {
  markNotificationSeen,
  markNotificationsSeen,
  type NotificationEntry,
} from '#contract/people/notifications.ts';
import { readChanged } from '../requests/reads.ts';
import { useWrite } from '../requests/use-write.ts';
import { useApi } from '../session/session.tsx';

/** The number of notifications that the bell shows. */
const NEWEST = 10;

/** The newest notifications, as the bell shows them. */
export const newestInput = { query: { limit: NEWEST } };

/** Returns a function that reads the notifications again. */
export function useRefreshNotifications(): () => Promise<void> {
  const cache = useQueryClient();
  return () => readChanged(cache, markNotificationsSeen);
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
export const useMarkAllSeen = () => useWrite(markNotificationsSeen, { untilRead: true });
