import {
  countUnseenNotifications,
  listNotifications,
  NOTIFICATION_DAYS,
} from '#contract/people/notifications.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListView, useList } from '../../../lists/list-view.tsx';
import { NotificationItem } from '../../../notifications/notification-item.tsx';
import { toLines } from '../../../notifications/notification-lines.ts';
import { useMarkAllSeen } from '../../../notifications/use-notifications.ts';
import { useRead } from '../../../requests/reads.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Settings } from './settings.tsx';

/** The signed-in user's notifications, and how they are told outside the shop's pages. The bell keeps the queries up to date. */
export default function Notifications() {
  const notifications = useList(listNotifications);
  const unseen = useRead(countUnseenNotifications, {}).data?.count ?? 0;
  const markAll = useMarkAllSeen();
  const newest = notifications.data?.pages[0]?.items[0];
  return (
    <>
      <PageHeading
        title="Notifications"
        action={
          <div className="flex flex-wrap gap-2">
            <LinkButton variant="quiet" to="#settings">
              Settings
            </LinkButton>
            {unseen > 0 && newest !== undefined && (
              <Button
                variant="secondary"
                busy={markAll.isPending && 'Marking'}
                onClick={() => markAll.mutate({ params: { _id: newest._id } })}
              >
                Mark all as seen
              </Button>
            )}
          </div>
        }
      >
        Everything that the shop told you in the last {NOTIFICATION_DAYS} days.
      </PageHeading>
      <div className="flex max-w-3xl flex-col gap-8">
        <section aria-label="All notifications">
          <ListView
            endpoint={listNotifications}
            what="your notifications"
            emptyTitle="No notifications yet"
            empty="Bookings, payments and everything else that concerns you appear here."
          >
            {(entries) => (
              <ul className="flex flex-col divide-y divide-border rounded-xl border border-border bg-surface p-2">
                {toLines(entries).map((line) => (
                  <li key={line.latest._id} className="py-1">
                    <NotificationItem line={line} />
                  </li>
                ))}
              </ul>
            )}
          </ListView>
        </section>
        <Settings />
      </div>
    </>
  );
}
