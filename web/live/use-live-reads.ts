import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { LIVE_PATH, type LiveChange } from '#contract/platform/live.ts';
import { readAnew } from '../requests/read-anew.ts';
import { useSessionStore } from '../session/session.tsx';
import { keepStreamOpen } from './keep-stream-open.ts';
import { pollWithoutStream } from './poll-without-stream.ts';

const isWanted = () => navigator.onLine && !document.hidden;

function watchWanted(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** The resources that a change is read from. Whatever else happens to a person, and waits for them, is told in a notification. */
const resources = {
  notifications: ['notifications', 'unseenNotifications', 'waiting'],
  messages: ['conversations', 'unreadConversations', 'waiting'],
  orders: ['orders'],
} as const satisfies Record<Exclude<LiveChange['about'], 'everything'>, readonly string[]>;

const OfRow = z.object({ params: z.object({ _id: z.string() }) });

/** Reads again what is shown of a change: of one row, only the lists and that row. */
function readChange(queries: QueryClient, { about, id }: LiveChange): void {
  const changed: readonly unknown[] =
    about === 'everything' ? Object.values(resources).flat() : resources[about];
  void readAnew(queries, {
    predicate: ({ queryKey: [resource, , input] }) => {
      const row = z.safeParse(OfRow, input).data?.params._id ?? id;
      return changed.includes(resource) && (id === undefined || row === id);
    },
  });
}

/**
 * Reads again what has changed for the signed-in person, at the server or in another tab: when the stream of changes tells so, each
 * time that it has opened, and at intervals while it is not open.
 */
export function useLiveReads(): void {
  const store = useSessionStore();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const environment = {
      open: (signal: AbortSignal) => store.run((actions) => actions.openStream(LIVE_PATH, signal)),
      isWanted,
      watchWanted,
    };
    const stream = {
      onChange: (change: LiveChange) => readChange(queries, change),
      onAlive: () => setIsOpen(true),
      onEnd: () => setIsOpen(false),
    };
    void keepStreamOpen(environment, stream, ended.signal);
    return () => ended.abort();
  }, [store, queries]);
  useEffect(() => {
    if (!isOpen) return pollWithoutStream(() => readChange(queries, { about: 'everything' }), isWanted);
  }, [isOpen, queries]);
}
