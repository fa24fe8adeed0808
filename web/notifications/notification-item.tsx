import { Link } from 'react-router';
import type { NotificationEntry } from '#contract/people/notifications.ts';
import { DateTime } from '../formats/date-time.tsx';
import type { NotificationLine } from './notification-lines.ts';
import { useMarkSeen } from './use-notifications.ts';

interface EntryProps {
  entry: NotificationEntry;
  isSeen: boolean;
  onOpen: () => void;
}

/** A notification as a link to its page. */
function Entry({ entry: { title, body, path, at }, isSeen, onOpen }: EntryProps) {
  return (
    <Link
      to={path}
      onClick={onOpen}
      className="flex gap-3 rounded-lg px-3 py-2.5 -outline-offset-3 hover:bg-subtle"
    >
      <span
        aria-hidden="true"
        className={`mt-2 size-2 shrink-0 rounded-full ${isSeen ? 'bg-transparent' : 'bg-primary'}`}
      />
      <span className="min-w-0">
        <span className={`block wrap-anywhere ${isSeen ? '' : 'font-semibold'}`}>
          {!isSeen && <span className="sr-only">Unseen: </span>}
          {title}
        </span>
        <span className="block text-muted text-sm wrap-anywhere">{body}</span>
        <span className="mt-0.5 block text-muted text-sm">
          <DateTime at={at} />
        </span>
      </span>
    </Link>
  );
}

/** The latest notification about something, with the earlier ones folded. Opening it marks all of them as seen. */
export function NotificationItem({ line: { latest, earlier } }: { line: NotificationLine }) {
  const markSeen = useMarkSeen();
  const all = [latest, ...earlier];
  return (
    <>
      <Entry entry={latest} isSeen={all.every(({ seen }) => seen)} onOpen={() => markSeen(all)} />
      {earlier.length > 0 && (
        <details className="ml-8">
          <summary className="inline-block min-h-9 cursor-pointer rounded-lg px-2 py-1.5 font-semibold text-link text-sm hover:bg-accent-soft">
            {earlier.length} earlier<span className="sr-only">: {latest.title}</span>
          </summary>
          <ul>
            {earlier.map((entry) => (
              <li key={entry._id}>
                <Entry entry={entry} isSeen={entry.seen} onOpen={() => markSeen([entry])} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
