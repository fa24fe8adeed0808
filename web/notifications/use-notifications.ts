import {
  markNotificationSeen,
  markNotificationsSeen,
  type NotificationEntry,
} from '#contract/people/notifications.ts';
import { resourcesOfChange } from '../live/read-change.ts';
import { useRefetch } from '../requests/reads.ts';
import { useWrite } from '../requests/use-write.ts';
import { useApi } from '../session/session.tsx';

/** The number of notifications that the bell reads. Those about one laptop share a line. */
const NEWEST = 30;

/** The newest notifications, as the bell shows them. */
export const newestInput = { query: { limit: NEWEST } };

/** Returns a function that marks opened notifications as seen. The person is on the way to their page, so a failure is not shown. */
export function useMarkSeen(): (entries: readonly Pick<NotificationEntry, '_id' | 'seen'>[]) => void {
  const api = useApi();
  const refetch = useRefetch(...resourcesOfChange.notifications);
  return (entries) => {
    const unseen = entries.filter(({ seen }) => !seen);
    if (unseen.length === 0) return;
    const marked = unseen.map(({ _id }) =>
      api.call(markNotificationSeen, { params: { _id }, keepalive: true }),
    );
    Promise.all(marked).then(refetch, () => undefined);
  };
}

/** Marks a notification and all earlier ones as seen. */
export const useMarkAllSeen = () => useWrite(markNotificationsSeen, { untilRead: true });
