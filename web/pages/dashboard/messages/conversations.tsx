import { href, NavLink } from 'react-router';
import { type Conversation, listConversations, MAXIMUM_UNREAD } from '#contract/sales/messages.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { firstName } from '../../../formats/first-name.ts';
import { ratedName } from '../../../formats/rating.ts';
import { Thumbnail } from '../../../lists/laptop-columns.tsx';
import { ListView } from '../../../lists/list-view.tsx';
import { useUnsent } from '../../../messages/use-outbox.ts';
import { useRoles } from '../../../session/roles.ts';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton, SecondaryLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { nameOf } from './person-name.ts';

function Unread({ count }: { count: number }) {
  if (count === 0) return null;
  return <Badge tone="trust">{count >= MAXIMUM_UNREAD ? `${MAXIMUM_UNREAD}+` : count} new</Badge>;
}

/** Whether own messages of a conversation wait in this browser, or were refused. */
function UnsentMark({ conversationId }: { conversationId: string }) {
  const unsent = useUnsent().find((each) => each.conversationId === conversationId);
  if (unsent === undefined) return null;
  return (
    <Badge tone={unsent.refused > 0 ? 'bad' : 'warm'}>
      {unsent.refused > 0 ? 'Not sent' : 'Waiting to be sent'}
    </Badge>
  );
}

/** The planned meeting of a conversation in which nothing was written. */
function MeetingLine({ conversation }: { conversation: Conversation }) {
  const { meeting } = conversation;
  if (meeting === null) return null;
  const beginning =
    meeting.state === 'agreed'
      ? 'You meet on'
      : meeting.mine
        ? 'You propose'
        : `${firstName(nameOf(conversation))} proposes`;
  return (
    <span className="mt-1 block wrap-anywhere [&_span]:inline!">
      {beginning} <DateTime at={meeting.startsAt} />, <span dir="auto">{meeting.place}</span>
    </span>
  );
}

function ConversationItem({ conversation, isNarrow }: { conversation: Conversation; isNarrow: boolean }) {
  const { _id, productName, image, unread, preview, personRating } = conversation;
  return (
    <li>
      <NavLink
        to={href('/dashboard/messages/:id?', { id: _id })}
        className={({ isActive }) =>
          `flex gap-4 rounded-xl border p-3 ${isActive ? 'border-accent bg-accent-soft' : 'border-border bg-surface hover:bg-subtle'}`
        }
      >
        {!isNarrow && <Thumbnail image={image} />}
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <strong className="font-semibold wrap-anywhere">
              {ratedName(nameOf(conversation), personRating)}
            </strong>
            <Unread count={unread} />
            <UnsentMark conversationId={_id} />
          </span>
          <span className="block text-muted text-sm wrap-anywhere">{productName}</span>
          {preview === null && <MeetingLine conversation={conversation} />}
          {preview !== null && (
            <>
              <span dir="auto" className={`mt-1 block truncate ${unread > 0 ? 'font-semibold' : ''}`}>
                {preview.mine && 'You: '}
                {preview.text === '' ? 'Photo' : preview.text}
              </span>
              <span className="block text-sm">
                <DateTime at={preview.at} />
              </span>
            </>
          )}
        </span>
      </NavLink>
    </li>
  );
}

/** What the reader can do for a first message, which depends on the role. */
function NoMessages() {
  const roles = useRoles();
  if (roles.status !== 'known') return null;
  if (roles.isBuyer) {
    return (
      <EmptyState
        title="No messages yet"
        action={<LinkButton to={href('/laptops')}>Find a laptop</LinkButton>}
      >
        Ask a seller on a laptop’s page, or write to the seller of a laptop that you booked from My Orders.
        {roles.isSeller && ' Questions of buyers about your laptops appear here, too.'}
      </EmptyState>
    );
  }
  if (roles.isSeller) {
    return (
      <EmptyState
        title="No messages yet"
        action={<SecondaryLink to={href('/dashboard/myBuyers')}>Go to My Buyers</SecondaryLink>}
      >
        Questions of buyers about your laptops appear here. You can write first to a buyer who has booked one,
        from My Buyers.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No messages yet">
      Messages are for buyers and sellers. Conversations that they report are in Reported Items.
    </EmptyState>
  );
}

/** The conversations of the signed-in person. @param props.isNarrow beside an open conversation */
export function Conversations({ isNarrow }: { isNarrow: boolean }) {
  return (
    <ListView
      endpoint={listConversations}
      refetchOnReconnect={false}
      what="your messages"
      empty={<NoMessages />}
    >
      {(conversations) => (
        <ul aria-label="Conversations" className="flex flex-col gap-2">
          {conversations.map((conversation) => (
            <ConversationItem key={conversation._id} conversation={conversation} isNarrow={isNarrow} />
          ))}
        </ul>
      )}
    </ListView>
  );
}
