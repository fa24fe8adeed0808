import { href, Link } from 'react-router';
import { useUnsent } from '../messages/use-outbox.ts';

/** The number of own messages that were refused. Sends those that wait, whatever page is open. */
export const useRefusedMessages = (): number => useUnsent().reduce((sum, { refused }) => sum + refused, 0);

const messages = (count: number) => (count === 1 ? '1 message' : `${count} messages`);

/** Links to own messages that wait in this browser or were refused. */
export function UnsentMessages() {
  return useUnsent().map(({ conversationId, waiting, refused }) => (
    <Link
      key={conversationId}
      to={href('/dashboard/messages/:id?', { id: conversationId })}
      className="flex min-h-11 flex-col justify-center rounded-lg px-3 py-2 font-semibold -outline-offset-3 hover:bg-subtle"
    >
      {refused > 0 && <span className="text-danger">{messages(refused)} could not be sent</span>}
      {waiting > 0 && <span>{messages(waiting)} kept here until the shop can be reached</span>}
    </Link>
  ));
}
