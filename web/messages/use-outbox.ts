import { type InfiniteData, type QueryClient, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import type { Page } from '#contract/platform/client.ts';
import { listMessages, type Message, sendMessage } from '#contract/sales/messages.ts';
import { useDraft } from '../forms/draft.ts';
import { errorMessage } from '../requests/error-message.ts';
import { randomHex } from '../requests/random-hex.ts';
import { queryKeyOf, refetchChanged } from '../requests/reads.ts';
import { MESSAGES_KEY } from '../session/forget-private-data.ts';
import { usePerson, useSessionStore } from '../session/session.tsx';
import type { SessionStore } from '../session/session-store.ts';
import { toast } from '../ui/toast.tsx';
import * as outbox from './outbox.ts';

/** What is typed and not sent. */
const Draft = z.object({ text: z.string() });

type Pages = InfiniteData<Page<Message[]>>;

/** The pages of a conversation, newest first, with a message that was just sent. */
function withSent(pages: Pages | undefined, sent: Message): Pages | undefined {
  const [latest, ...earlier] = pages?.pages ?? [];
  if (pages === undefined || latest === undefined) return pages;
  return { ...pages, pages: [{ ...latest, items: [sent, ...latest.items] }, ...earlier] };
}

/** Returns the function that sends a message and shows it as sent. Its pages are read again meanwhile. */
function createSend(store: SessionStore, email: string, queries: QueryClient): outbox.Send {
  return async ({ conversationId, key, text, photos }) => {
    const session = store.read();
    // A message that is repeated after a sign-out must not be sent as another person. The next page sends it.
    if (session.status !== 'signed-in' || session.person.email !== email) throw new Error('Signed out');
    const { sequence, at } = await store.client.call(sendMessage, {
      params: { _id: conversationId },
      body: { text, photos },
      idempotencyKey: key,
    });
    queries.setQueryData<Pages>(queryKeyOf(listMessages, { params: { _id: conversationId } }), (pages) =>
      // The addresses under which its photos can be seen come with the next read.
      withSent(pages, { sequence, mine: true, text, at, photos: [], warnings: [] }),
    );
    void refetchChanged(queries, sendMessage);
  };
}

/** The outbox of the signed-in person. */
function useOwnOutbox(): outbox.Outbox {
  const store = useSessionStore();
  const queries = useQueryClient();
  const { email } = usePerson();
  return outbox.outboxFor(queries, email, createSend(store, email, queries));
}

/** The messages of a conversation that could not be sent so far. */
interface UnsentCount {
  conversationId: string;
  /** The number of those that are sent later by themselves. */
  waiting: number;
  /** The number of those that were refused. */
  refused: number;
}

/** The conversations of the signed-in person with messages that could not be sent so far. */
export function useUnsent(): readonly UnsentCount[] {
  useOwnOutbox();
  const messages = useMutationState({
    filters: { mutationKey: outbox.mutationKeyOf() },
    select: ({ options, state }) => ({
      conversationId: String(options.mutationKey?.[1]),
      isRefused: state.status === 'error',
      // Later messages of a conversation wait for the first one.
      isDelayed: state.failureCount > 0 || state.isPaused,
    }),
  });
  const ids = new Set(messages.map(({ conversationId }) => conversationId));
  return [...ids].flatMap((conversationId) => {
    const own = messages.filter((message) => message.conversationId === conversationId);
    const [first, ...later] = own.filter(({ isRefused }) => !isRefused);
    const waiting = first?.isDelayed ? 1 + later.length : 0;
    const refused = own.filter(({ isRefused }) => isRefused).length;
    return waiting + refused === 0 ? [] : [{ conversationId, waiting, refused }];
  });
}

/**
 * The draft and the unsent messages of a conversation, for a component of this conversation alone.
 * @param messages the messages of the conversation that the page has read, oldest first
 */
export function useOutbox(conversationId: string, messages: readonly Message[]) {
  const own = useOwnOutbox();
  const { email } = usePerson();
  // Not among the entries of the outbox, which removes what it cannot read.
  const name = `${MESSAGES_KEY}typed:${email}:${conversationId}`;
  const kept = useDraft(name, Draft, () => localStorage);
  const [draft, setDraft] = useState(() => kept.read()?.text ?? '');
  useEffect(() => {
    // Another tab has changed it, or a sign-out has removed everything.
    const follow = ({ key }: StorageEvent) => {
      if (key === name || key === null) setDraft(kept.read()?.text ?? '');
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [kept, name]);
  const waiting = useMutationState({
    filters: { mutationKey: outbox.mutationKeyOf(conversationId) },
    select: ({ state }): outbox.Waiting => ({
      ...outbox.Unsent.parse(state.variables),
      failure: state.error === null ? null : errorMessage(state.error),
    }),
  });
  const type = (text: string) => {
    setDraft(text);
    if (text === '') kept.discard();
    else kept.save({ text });
  };
  const add = (content: Pick<outbox.Unsent, 'text' | 'photos'>) =>
    own.add({
      ...content,
      conversationId,
      key: randomHex(),
      at: new Date().toISOString(),
      after: messages.at(-1)?.sequence ?? 0,
    });
  return {
    draft,
    /** The own messages that the page does not show as sent. */
    waiting: outbox.withoutStored(waiting, messages),
    type,
    /** Sends the draft. */
    send: () => {
      const text = draft.trim();
      if (text === '') return;
      if (waiting.length >= outbox.MAXIMUM_WAITING) {
        toast.error(`${outbox.MAXIMUM_WAITING} messages wait to be sent. Your text is kept here until then.`);
        return;
      }
      add({ text, photos: [] });
      type('');
    },
    sendPhoto: (photo: string) => add({ text: '', photos: [photo] }),
    retry: (key: string) => own.retry(key, { key: randomHex(), at: new Date().toISOString() }),
    remove: own.remove,
  };
}
