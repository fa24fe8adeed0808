import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Problem } from '#contract/client.ts';
import { type Message, sendMessage } from '#contract/messages.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { randomHex } from '../../../requests/random-hex.ts';
import { useApi, usePerson } from '../../../session/session.tsx';
import * as outbox from './outbox.ts';

/** How long a failed attempt without a refusal waits for the next one, in milliseconds. */
const RETRY_AFTER_MS = 10_000;

const expired = 'It could not be sent for a day. Perhaps it was sent before; please look, and send it again.';

/** Whether an attempt can succeed later with the same key: nothing is known about it, or the shop asks to wait. */
const isTemporary = (error: unknown) =>
  !(error instanceof Problem) ||
  error.status === 0 ||
  error.status === 401 ||
  error.status >= 500 ||
  error.code === 'request_in_progress';

/**
 * The draft and the unsent messages of a conversation. Both are kept in this browser; messages are sent one after the other, again
 * when the connection returns, and once each by their idempotency keys.
 * @param messages the messages of the conversation that the page has read, oldest first
 * @param onSent called after each sent message; resolves when the page shows it
 */
export function useOutbox(
  conversationId: string,
  messages: readonly Message[],
  onSent: () => Promise<unknown>,
) {
  const api = useApi();
  const { email } = usePerson();
  const [kept, setKept] = useState(() => outbox.readKept(email, conversationId));
  const isSending = useRef(false);

  /** Applies a change to what is kept now, which another tab may have changed. */
  function change(apply: (kept: outbox.Kept) => outbox.Kept): outbox.Kept {
    const next = apply(outbox.readKept(email, conversationId));
    outbox.writeKept(email, conversationId, next);
    setKept(next);
    return next;
  }

  async function sendAll(): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    try {
      for (;;) {
        const next = outbox.nextToSend(outbox.readKept(email, conversationId), new Date());
        if (next === null) return;
        const { key, text, photos } = next.message;
        if (next.isExpired) {
          change((now) => outbox.failWaiting(now, key, expired));
          continue;
        }
        try {
          await api.call(sendMessage, {
            params: { _id: conversationId },
            body: { text, photos },
            idempotencyKey: key,
          });
        } catch (error) {
          if (isTemporary(error)) return;
          change((now) => outbox.failWaiting(now, key, errorMessage(error)));
          continue;
        }
        await onSent();
        change((now) => outbox.removeWaiting(now, key));
      }
    } finally {
      isSending.current = false;
    }
  }

  const start = useEffectEvent(() => void sendAll());

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

  const write = () => ({ key: randomHex(), after: messages.at(-1)?.sequence ?? 0, now: new Date() });

  return {
    draft: kept.draft,
    /** The own messages that the page does not show as sent. */
    waiting: outbox.withoutStored(kept.waiting, messages),
    type: (draft: string) => change((now) => ({ ...now, draft })),
    /** Sends the draft. */
    send: () => {
      change((now) => outbox.queueDraft(now, write()));
      void sendAll();
    },
    sendPhoto: (photo: string) => {
      change((now) => outbox.queuePhoto(now, photo, write()));
      void sendAll();
    },
    retry: (key: string) => {
      change((now) => outbox.retryWaiting(now, key, { key: randomHex(), now: new Date() }));
      void sendAll();
    },
    remove: (key: string) => change((now) => outbox.removeWaiting(now, key)),
  };
}
