import { useQueryClient } from '@tanstack/react-query';
import { href, NavLink } from 'react-router';
import { type Conversation, listConversations, MAXIMUM_UNREAD } from '#contract/sales/messages.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { ratedName } from '../../../formats/rating.ts';
import { ListView } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { useLive } from '../../../live/use-live.ts';
import { useUnsent } from '../../../messages/use-outbox.ts';
import { readAnew } from '../../../requests/read-anew.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { nameOf } from './person-name.ts';

const thumbnail = 'h-[60px] w-[80px] shrink-0 rounded-lg object-cover';

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
function meetingLine({ meeting, ...conversation }: Conversation): string | null {
  if (meeting === null) return null;
  if (meeting.state === 'agreed') return `You meet at ${meeting.place}`;
  return meeting.mine ? 'You proposed a meeting' : `${nameOf(conversation)} proposes a meeting`;
}

function ConversationItem({ conversation, isNarrow }: { conversation: Conversation; isNarrow: boolean }) {
  const { _id, productName, image, unread, preview, personRating } = conversation;
  const meeting = preview === null ? meetingLine(conversation) : null;
  return (
    <li>
      <NavLink
        to={href('/dashboard/messages/:id?', { id: _id })}
        className={({ isActive }) =>
          `flex gap-4 rounded-xl border p-3 ${isActive ? 'border-accent bg-accent-soft' : 'border-border bg-surface hover:bg-subtle'}`
        }
      >
        {!isNarrow &&
          (image === '' ? (
            <span className={`bg-photo ${thumbnail}`} />
          ) : (
            <Photo url={image} alt="" sizes="80px" className={thumbnail} />
          ))}
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <strong className="font-semibold wrap-anywhere">
              {ratedName(nameOf(conversation), personRating)}
            </strong>
            <Unread count={unread} />
            <UnsentMark conversationId={_id} />
          </span>
          <span className="block text-muted text-sm wrap-anywhere">{productName}</span>
          {meeting !== null && (
            <span dir="auto" className="mt-1 block truncate">
              {meeting}
            </span>
          )}
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

/** Refetches conversations and messages when they change. */
function useMessageChanges(): void {
  const queries = useQueryClient();
  useLive('messages', (id) => {
    if (id === undefined) return void readAnew(queries, { queryKey: ['messages'] });
    for (const key of [['conversations'], ['conversation', id], ['pages', id]]) {
      void readAnew(queries, { queryKey: ['messages', ...key] });
    }
  });
}

/** The conversations of the signed-in person. @param props.isNarrow beside an open conversation */
export function Conversations({ isNarrow }: { isNarrow: boolean }) {
  const api = useApi();
  useMessageChanges();
  const list = useList(
    ['messages', 'conversations'],
    (query, signal) => api.page(listConversations, { query, signal }),
    { refetchOnReconnect: false },
  );
  return (
    <ListView
      list={list}
      what="your messages"
      empty={
        <EmptyState
          title="No messages yet"
          action={<LinkButton to={href('/laptops')}>Find a laptop</LinkButton>}
        >
          Ask a seller on a laptop’s page, or write to the other side of a booking from My Orders or My
          Buyers.
        </EmptyState>
      }
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
