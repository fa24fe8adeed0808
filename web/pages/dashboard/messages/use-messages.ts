import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import {
  countUnreadConversations,
  listConversations,
  listMessages,
  MESSAGES_PER_PAGE,
  markRead,
  readConversation,
} from '#contract/sales/messages.ts';
import { listQueryOptions, queryKeyOf, useRead } from '../../../requests/reads.ts';
import { useApi } from '../../../session/session.tsx';

/**
 * A conversation and its messages, oldest first. What is shown on a visible page is marked as read. After a time without a
 * connection, `useLiveReads` reads what is new.
 */
export function useMessages(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const params = { _id: id };
  const conversation = useRead(
    readConversation,
    { params },
    { refetchOnMount: 'always', refetchOnReconnect: false },
  );
  const pages = useInfiniteQuery({
    ...listQueryOptions(api, listMessages, { params, limit: MESSAGES_PER_PAGE }),
    refetchOnMount: 'always',
    refetchOnReconnect: false,
  });
  const messages = useMemo(() => {
    // A message that arrives between two pages moves the pages, so that both can have the same one.
    const bySequence = new Map(
      pages.data?.pages.flatMap(({ items }) => items).map((message) => [message.sequence, message]),
    );
    return [...bySequence.values()].sort((one, other) => one.sequence - other.sequence);
  }, [pages.data]);

  const shown = messages.at(-1)?.sequence ?? 0;
  const read = conversation.data?.read ?? shown;
  const mark = useEffectEvent(async () => {
    if (shown <= read || document.visibilityState !== 'visible') return;
    try {
      await api.call(markRead, { params, body: { sequence: shown } });
      for (const key of [
        queryKeyOf(readConversation, { params }),
        queryKeyOf(listConversations),
        queryKeyOf(countUnreadConversations),
      ]) {
        await queries.invalidateQueries({ queryKey: key });
      }
    } catch {
      // Marked with the next change, or when the page is opened again.
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them can make messages unread
  useEffect(() => {
    const start = () => void mark();
    start();
    addEventListener('visibilitychange', start);
    return () => removeEventListener('visibilitychange', start);
  }, [shown, read]);

  return { conversation, pages, messages };
}
