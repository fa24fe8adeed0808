import { Link } from 'react-router';
import type { NotificationEntry } from '#contract/people/notifications.ts';
import { DateTime } from '../formats/date-time.tsx';
import { useMarkSeen } from './use-notifications.ts';

/** A notification as a link to its page. Opening it marks it as seen. */
export function NotificationItem({ entry }: { entry: NotificationEntry }) {
  const markSeen = useMarkSeen();
  const { title, body, path, at, seen } = entry;
  return (
    <Link
      to={path}
      onClick={() => markSeen(entry)}
      className="flex gap-3 rounded-lg px-3 py-2.5 -outline-offset-3 hover:bg-subtle"
    >
      <span
        aria-hidden="true"
        className={`mt-2 size-2 shrink-0 rounded-full ${seen ? 'bg-transparent' : 'bg-primary'}`}
      />
      <span className="min-w-0">
        <span className={`block wrap-anywhere ${seen ? '' : 'font-semibold'}`}>
          {!seen && <span className="sr-only">Unseen: </span>}
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
