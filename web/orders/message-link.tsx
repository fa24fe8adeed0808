import { href, Link } from 'react-router';

interface MessageLinkProps {
  booking: { _id: string };
  /** The name of the other person. */
  name: string;
}

/** The link from a booking to the conversation of its two people. */
export function MessageLink({ booking: { _id }, name }: MessageLinkProps) {
  return (
    <Link
      to={`${href('/dashboard/messages/:id?', { id: 'new' })}?booking=${_id}`}
      aria-label={`Message ${name}`}
      className="self-start font-semibold text-sm underline underline-offset-4"
    >
      Message
    </Link>
  );
}
