import * as z from 'zod/mini';
import type { Message } from '#contract/messages.ts';
import { tryStorage } from '../../../ui/browser-storage.ts';

/** How long a message is sent again by itself: less than the server remembers its key, so that it is never sent twice. */
const RETRY_FOR_MS = 20 * 60 * 60_000;

/** The most messages of a conversation that wait in a browser. */
const MAXIMUM_WAITING = 20;

const Waiting = z.object({
  /** The idempotency key. */
  key: z.string(),
  text: z.string(),
  /** The addresses of uploaded photos. */
  photos: z.array(z.string()),
  /** When it was written, ISO 8601 in UTC. */
  at: z.string(),
  /** Why it was refused; null while it is being sent or waits for a connection. */
  failure: z.nullable(z.string()),
  /** The sequence number of the latest message that was shown when it was written. */
  after: z._default(z.int(), 0),
});
/** An own message that the shop has not confirmed. */
export type Waiting = z.infer<typeof Waiting>;

const Kept = z.object({ draft: z.string(), waiting: z.array(Waiting) });
/** What is kept of a conversation in this browser: the typed draft, and messages that were not sent yet. */
export type Kept = z.infer<typeof Kept>;

const nothing: Kept = { draft: '', waiting: [] };

const storageKey = (email: string, conversationId: string) => `coomercioMessages:${email}:${conversationId}`;

/** Reads what is kept; nothing when there is none or storage is forbidden. */
export function readKept(email: string, conversationId: string): Kept {
  return (
    tryStorage(() =>
      Kept.parse(JSON.parse(localStorage.getItem(storageKey(email, conversationId)) ?? 'null')),
    ) ?? nothing
  );
}

/** Keeps a draft and waiting messages, also over a reload. */
export function writeKept(email: string, conversationId: string, kept: Kept): void {
  const key = storageKey(email, conversationId);
  tryStorage(() =>
    kept.draft === '' && kept.waiting.length === 0
      ? localStorage.removeItem(key)
      : localStorage.setItem(key, JSON.stringify(kept)),
  );
}

/** What a message waits with: its idempotency key, when it was written, and after which message. */
type Written = Pick<Waiting, 'key' | 'after'> & { now: Date };

/** Moves the draft to the waiting messages; unchanged when the draft is empty or too many wait. */
export function queueDraft(kept: Kept, { key, after, now }: Written): Kept {
  const text = kept.draft.trim();
  if (text === '' || kept.waiting.length >= MAXIMUM_WAITING) return kept;
  return {
    draft: '',
    waiting: [...kept.waiting, { key, text, photos: [], at: now.toISOString(), failure: null, after }],
  };
}

/** Adds an uploaded photo to the waiting messages, as one of its own. The draft stays. */
export const queuePhoto = (kept: Kept, photo: string, { key, after, now }: Written): Kept => ({
  ...kept,
  waiting: [...kept.waiting, { key, text: '', photos: [photo], at: now.toISOString(), failure: null, after }],
});

/** Removes a waiting message, after it was sent or by its writer. */
export const removeWaiting = (kept: Kept, key: string): Kept => ({
  ...kept,
  waiting: kept.waiting.filter((each) => each.key !== key),
});

/** Marks a waiting message as refused. */
export const failWaiting = (kept: Kept, key: string, failure: string): Kept => ({
  ...kept,
  waiting: kept.waiting.map((each) => (each.key === key ? { ...each, failure } : each)),
});

/** Lets a refused message be sent again, as a new one: the shop has not stored it. */
export const retryWaiting = (kept: Kept, key: string, next: { key: string; now: Date }): Kept => ({
  ...kept,
  waiting: kept.waiting.map((each) =>
    each.key === key ? { ...each, key: next.key, at: next.now.toISOString(), failure: null } : each,
  ),
});

/**
 * The message to send next: the oldest one that was not refused.
 * @returns also `isExpired` for one that waited too long to be sent by itself
 */
export function nextToSend(kept: Kept, now: Date): { message: Waiting; isExpired: boolean } | null {
  const message = kept.waiting.find(({ failure }) => failure === null);
  if (message === undefined) return null;
  return { message, isExpired: now.getTime() - Date.parse(message.at) > RETRY_FOR_MS };
}

/**
 * The waiting messages that are not among the messages of the conversation. A sent message can be read, by a live change, before
 * the response to its request arrives.
 */
export function withoutStored(waiting: readonly Waiting[], messages: readonly Message[]): Waiting[] {
  const stored = new Set(messages.filter(({ mine }) => mine));
  return waiting.filter(({ text, photos, failure, after }) => {
    if (failure !== null) return true;
    for (const message of stored) {
      if (message.sequence > after && message.text === text && message.photos.length === photos.length) {
        return !stored.delete(message);
      }
    }
    return true;
  });
}
