import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { Page } from '#contract/platform/client.ts';
import { listMessages, type Message, sendMessage } from '#contract/sales/messages.ts';
import { randomHex } from '../requests/random-hex.ts';
import { keyOf, readChanged } from '../requests/reads.ts';
import { useApi, usePerson } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';
import * as outbox from './outbox.ts';

/** How long a failed attempt without a refusal waits for the next one, in milliseconds. */
const RETRY_AFTER_MS = 10_000;

type Pages = InfiniteData<Page<Message[]>>;

/** The pages of a conversation, newest first, with a message that was just sent. */
function withSent(pages: Pages | undefined, sent: Message): Pages | undefined {
  const [latest, ...earlier] = pages?.pages ?? [];
  if (pages === undefined || latest === undefined) return pages;
  return { ...pages, pages: [{ ...latest, items: [sent, ...latest.items] }, ...earlier] };
}

/** Returns the function that sends a message and shows it as sent. Its pages are read again meanwhile. */
function useSend(): outbox.Send {
  const api = useApi();
  const queries = useQueryClient();
  return async (conversationId, { key, text, photos }) => {
    const { sequence, at } = await api.call(sendMessage, {
      params: { _id: conversationId },
      body: { text, photos },
      idempotencyKey: key,
    });
    queries.setQueryData<Pages>(keyOf(listMessages, { params: { _id: conversationId } }), (pages) =>
      // The addresses under which its photos can be seen come with the next read.
      withSent(pages, { sequence, mine: true, text, at, photos: [], warnings: [] }),
    );
    void readChanged(queries, sendMessage);
  };
}

/** Sends the messages of all conversations, again when the connection returns. Use it once for the signed-in person. */
export function useSendOutbox(): void {
  const own = outbox.outboxFor(usePerson().email);
  const send = useSend();
  const start = useEffectEvent(() => void own.sendAll(send));
  useEffect(() => {
    const attempt = () => start();
    attempt();
    addEventListener('online', attempt);
    const timer = setInterval(attempt, RETRY_AFTER_MS);
    return () => {
      removeEventListener('online', attempt);
      clearInterval(timer);
    };
  }, []);
}

/** The conversations of the signed-in person with messages that could not be sent so far. */
export function useUnsent(): readonly outbox.Unsent[] {
  const own = outbox.outboxFor(usePerson().email);
  return useSyncExternalStore(own.subscribe, own.unsent);
}

/**
 * The draft and the unsent messages of a conversation. `useSendOutbox` sends them on every page.
 * @param messages the messages of the conversation that the page has read, oldest first
 */
export function useOutbox(conversationId: string, messages: readonly Message[]) {
  const own = outbox.outboxFor(usePerson().email);
  const kept = useSyncExternalStore(own.subscribe, () => own.read(conversationId));
  const send = useSend();
  const change = (apply: (kept: outbox.Kept) => outbox.Kept) => own.change(conversationId, apply);
  const written = () => ({ key: randomHex(), after: messages.at(-1)?.sequence ?? 0, now: new Date() });
  const sendAfter = (apply: (kept: outbox.Kept) => outbox.Kept) => {
    change(apply);
    void own.sendAll(send);
  };
  return {
    draft: kept.draft,
    /** The own messages that the page does not show as sent. */
    waiting: outbox.withoutStored(kept.waiting, messages),
    type: (draft: string) => change((now) => ({ ...now, draft })),
    /** Sends the draft. */
    send: () => {
      if (kept.waiting.length >= outbox.MAXIMUM_WAITING) {
        toast.error(`${outbox.MAXIMUM_WAITING} messages wait to be sent. Your text is kept here until then.`);
      }
      sendAfter((now) => outbox.queueDraft(now, written()));
    },
    sendPhoto: (photo: string) => sendAfter((now) => outbox.queuePhoto(now, photo, written())),
    retry: (key: string) =>
      sendAfter((now) => outbox.retryWaiting(now, key, { key: randomHex(), now: new Date() })),
    remove: (key: string) => change((now) => outbox.removeWaiting(now, key)),
  };
}
