import { href } from 'react-router';
import { LinkButton } from '../ui/button.tsx';

/** The path of the conversation of a booking's two people. */
export const conversationPath = (bookingId: string): string =>
  `${href('/dashboard/messages/:id?', { id: 'new' })}?booking=${bookingId}`;

interface MessageLinkProps {
  booking: { _id: string };
  /** The name of the other person. */
  name: string;
  size?: 'regular' | 'small';
  className?: string;
}

/** The link from a booking to the conversation of its two people. */
export function MessageLink({ booking: { _id }, name, size = 'small', className }: MessageLinkProps) {
  return (
    <LinkButton
      variant="secondary"
      size={size}
      to={conversationPath(_id)}
      aria-label={`Message ${name}`}
      className={className}
    >
      Message
    </LinkButton>
  );
}
