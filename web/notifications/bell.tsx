import { useEffect, useRef, useState } from 'react';
import { href, Link, useLocation } from 'react-router';
import {
  countUnseenNotifications,
  listNotifications,
  MAXIMUM_UNSEEN_COUNT,
} from '#contract/people/notifications.ts';
import { countUnreadConversations } from '#contract/sales/messages.ts';
import { useLiveReads } from '../live/use-live-reads.ts';
import { QueryView, StaleDataFrame } from '../requests/query-view.tsx';
import { useRead } from '../requests/reads.ts';
import { WithQueries } from '../requests/with-queries.tsx';
import { useApi } from '../session/session.tsx';
import { SmallButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { NotificationItem } from './notification-item.tsx';
import { toLines } from './notification-lines.ts';
import { closeSeenMessages } from './push.ts';
import { UnsentMessages, useRefusedMessages } from './unsent-messages.tsx';
import { newestInput, useMarkAllSeen } from './use-notifications.ts';
import { usePageSeen } from './use-page-seen.ts';

/** The id of the popover that the bell opens. */
const POPOVER = 'newest-notifications';

const isMany = (unseen: number) => unseen >= MAXIMUM_UNSEEN_COUNT;

function bellName(unseen: number, refused: number): string {
  const number = isMany(unseen) ? `more than ${MAXIMUM_UNSEEN_COUNT - 1}` : unseen;
  return `Notifications${unseen === 0 ? '' : `, ${number} unseen`}${refused === 0 ? '' : `, ${refused} not sent`}`;
}

/** The link to new messages. */
function NewMessages({ conversations }: { conversations: number }) {
  return (
    <Link
      to={href('/dashboard/messages/:id?')}
      className="flex min-h-11 items-center rounded-lg px-3 py-2 font-semibold -outline-offset-3 hover:bg-subtle"
    >
      {conversations === 1 ? 'New messages' : `New messages in ${conversations} conversations`}
    </Link>
  );
}

/** The number of lines that the bell shows. */
const NEWEST_LINES = 10;

/** The newest notifications. */
function Newest() {
  const newest = useRead(listNotifications, newestInput);
  return (
    <QueryView query={newest} what="your notifications" skeleton="m-3 h-64">
      {(entries) =>
        entries.length === 0 ? (
          <p className="px-3 py-6 text-muted">
            Nothing yet. Bookings, payments and everything else that concerns you appear here.
          </p>
        ) : (
          <ul className="flex flex-col">
            {toLines(entries)
              .slice(0, NEWEST_LINES)
              .map((line) => (
                <li key={line.latest._id}>
                  <NotificationItem line={line} />
                </li>
              ))}
          </ul>
        )
      }
    </QueryView>
  );
}

function MarkAllSeen() {
  const newest = useRead(listNotifications, newestInput, { enabled: false }).data?.[0];
  const markAll = useMarkAllSeen();
  if (newest === undefined) return null;
  return (
    <SmallButton
      variant="quiet"
      busy={markAll.isPending && 'Marking'}
      onClick={() => markAll.mutate({ params: { _id: newest._id } })}
    >
      Mark all as seen
    </SmallButton>
  );
}

function BellButton() {
  const api = useApi();
  const { key } = useLocation();
  const popover = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const { data: unseenCount, dataUpdatedAt } = useRead(countUnseenNotifications, {});
  const notifications = unseenCount?.count ?? 0;
  // Of their messages no notification tells yet: it is made when they are unread after ten minutes.
  const conversations = useRead(countUnreadConversations, {}).data?.count ?? 0;
  const unseen = notifications + conversations;
  const refused = useRefusedMessages();
  useLiveReads();
  usePageSeen(notifications, dataUpdatedAt);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the popover
  useEffect(() => {
    popover.current?.hidePopover();
  }, [key]);
  useEffect(() => {
    if (dataUpdatedAt > 0) void closeSeenMessages(api);
  }, [api, dataUpdatedAt]);

  return (
    <>
      <button
        type="button"
        popoverTarget={POPOVER}
        aria-label={bellName(unseen, refused)}
        aria-expanded={isOpen}
        className="relative grid size-[40px] place-items-center rounded-lg [anchor-name:--bell] hover:bg-subtle"
      >
        <Icon name="bell" className="size-[min(1.5rem,32px)]" strokeWidth="1.5" />
        {refused > 0 && (
          <span
            aria-hidden="true"
            className="absolute bottom-[2px] left-[-3px] min-w-[20px] rounded-full bg-danger-soft text-center font-bold text-[12px] text-danger leading-[20px]"
          >
            !
          </span>
        )}
        {unseen > 0 && (
          <span
            aria-hidden="true"
            className="figures absolute top-[-2px] right-[-3px] min-w-[20px] rounded-full bg-primary px-[4px] text-center font-semibold text-[12px] text-on-primary leading-[20px]"
          >
            {isMany(unseen) ? `${MAXIMUM_UNSEEN_COUNT - 1}+` : unseen}
          </span>
        )}
      </button>
      {/* Announces what arrives. */}
      <span role="status" className="sr-only">
        {unseen + refused > 0 && bellName(unseen, refused)}
      </span>
      <section
        ref={popover}
        id={POPOVER}
        popover="auto"
        aria-label="Newest notifications"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
        className="fixed inset-auto top-16 right-2 max-h-[min(36rem,calc(100svh-6rem))] w-[min(24rem,calc(100vw-1rem))] flex-col rounded-xl open:flex border border-border bg-surface p-2 text-foreground shadow-raised [position-anchor:--bell] supports-[top:anchor(bottom)]:top-[calc(anchor(bottom)+0.5rem)] sm:supports-[top:anchor(bottom)]:right-[anchor(right)]"
      >
        <div className="flex min-h-11 shrink-0 flex-wrap items-center justify-between gap-x-3 pl-3">
          <h2 className="text-lg">Notifications</h2>
          {notifications > 0 && <MarkAllSeen />}
        </div>
        <div className="min-h-0 overflow-y-auto overscroll-contain">
          <UnsentMessages />
          {conversations > 0 && <NewMessages conversations={conversations} />}
          {isOpen && (
            <StaleDataFrame>
              <Newest />
            </StaleDataFrame>
          )}
        </div>
        <Link
          to={href('/dashboard/notifications')}
          className="mt-1 flex min-h-11 shrink-0 items-center justify-center rounded-lg font-semibold text-link -outline-offset-3 hover:bg-accent-soft"
        >
          All notifications and settings
        </Link>
      </section>
    </>
  );
}

/** The number of unseen notifications and the newest of them, for a signed-in person, whose messages it sends. */
export function Bell() {
  return (
    <WithQueries>
      <BellButton />
    </WithQueries>
  );
}
