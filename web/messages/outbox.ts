import * as z from 'zod/mini';
import { Problem } from '#contract/platform/client.ts';
import type { Message } from '#contract/sales/messages.ts';
import { errorMessage } from '../requests/error-message.ts';
import { tryStorage } from '../ui/browser-storage.ts';

/** How long a message is sent again by itself: less than the server remembers its key, so that it is never sent twice. */
const RETRY_FOR_MS = 20 * 60 * 60_000;

/** The most messages of a conversation that wait in a browser. */
export const MAXIMUM_WAITING = 20;

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

const expired = 'It could not be sent for a day. Perhaps it was sent before; please look, and send it again.';

/** Whether an attempt can succeed later with the same key: nothing is known about it, or the shop asks to wait. */
const isTemporary = (error: unknown) =>
  !(error instanceof Problem) ||
  error.status === 0 ||
  error.status === 401 ||
  error.status >= 500 ||
  error.code === 'request_in_progress';

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

/** The messages of a conversation that could not be sent so far. */
export interface Unsent {
  conversationId: string;
  /** The number of those that are sent later by themselves. */
  waiting: number;
  /** The number of those that were refused. */
  refused: number;
}

/** Sends a message under its idempotency key. */
export type Send = (conversationId: string, message: Waiting) => Promise<void>;

type KeptStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * The drafts and unsent messages of all conversations of a person. Storage is shared by the tabs, so a change is applied to what is
 * stored. What storage does not take is kept in memory, and changed there. Two tabs can send the same message: the shop knows it by its key.
 * @param storage may throw
 */
export function createOutbox(email: string, storage: () => KeptStorage) {
  const prefix = `coomercioMessages:${email}:`;
  const listeners = new Set<() => void>();
  /** The conversations whose present state is only in memory. */
  const unstored = new Set<string>();
  const sending = new Set<string>();
  /** The conversations whose last attempt failed, and is repeated. */
  const delayed = new Set<string>();
  let conversations: ReadonlyMap<string, Kept> = new Map(readStored());
  let unsent: readonly Unsent[] = toUnsent();

  function readEntry(id: string): Kept | null {
    return tryStorage(() => Kept.parse(JSON.parse(storage().getItem(prefix + id) ?? 'null')));
  }

  function readStored(): [id: string, kept: Kept][] {
    const keys = tryStorage(() =>
      Array.from({ length: storage().length }, (_, index) => storage().key(index)),
    );
    return (keys ?? []).flatMap((key): [string, Kept][] => {
      const id = key?.startsWith(prefix) ? key.slice(prefix.length) : null;
      const kept = id === null ? null : readEntry(id);
      return id === null || kept === null ? [] : [[id, kept]];
    });
  }

  function write(id: string, kept: Kept): void {
    const isEmpty = kept.draft === '' && kept.waiting.length === 0;
    const isStored = tryStorage(() => {
      if (isEmpty) storage().removeItem(prefix + id);
      else storage().setItem(prefix + id, JSON.stringify(kept));
      return true;
    });
    if (isStored === true) unstored.delete(id);
    else unstored.add(id);
  }

  function toUnsent(): Unsent[] {
    return [...conversations].flatMap(([conversationId, { waiting }]) => {
      const refused = waiting.filter(({ failure }) => failure !== null).length;
      const count = { waiting: delayed.has(conversationId) ? waiting.length - refused : 0, refused };
      return count.waiting + refused === 0 ? [] : [{ conversationId, ...count }];
    });
  }

  function show(next: ReadonlyMap<string, Kept>): void {
    conversations = next;
    const now = toUnsent();
    // Equal counts stay the same object, so that typing renders nothing but the conversation.
    if (JSON.stringify(now) !== JSON.stringify(unsent)) unsent = now;
    for (const listener of [...listeners]) listener();
  }

  function change(id: string, apply: (kept: Kept) => Kept): Kept {
    // Another tab may have changed it since the last event of storage.
    const before = unstored.has(id) ? conversations.get(id) : readEntry(id);
    const next = apply(before ?? nothing);
    write(id, next);
    show(new Map(conversations).set(id, next));
    return next;
  }

  async function sendConversation(id: string, send: Send): Promise<void> {
    if (sending.has(id)) return;
    sending.add(id);
    try {
      for (;;) {
        const next = nextToSend(conversations.get(id) ?? nothing, new Date());
        if (next === null) return;
        const { key } = next.message;
        if (next.isExpired) {
          change(id, (kept) => failWaiting(kept, key, expired));
          continue;
        }
        try {
          await send(id, next.message);
        } catch (error) {
          if (isTemporary(error)) {
            delayed.add(id);
            show(conversations);
            return;
          }
          change(id, (kept) => failWaiting(kept, key, errorMessage(error)));
          continue;
        }
        delayed.delete(id);
        change(id, (kept) => removeWaiting(kept, key));
      }
    } finally {
      sending.delete(id);
    }
  }

  return {
    read: (id: string): Kept => conversations.get(id) ?? nothing,
    /** The conversations with messages that could not be sent so far. */
    unsent: (): readonly Unsent[] => unsent,
    /** Whether anything was typed that was not sent. */
    isEmpty: (): boolean =>
      [...conversations.values()].every(({ draft, waiting }) => draft.trim() === '' && waiting.length === 0),
    /** Calls back after each change. @returns a function that unsubscribes */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change,
    /** Sends what waits: of each conversation one message after the other. */
    sendAll: async (send: Send): Promise<void> => {
      await Promise.all([...conversations.keys()].map((id) => sendConversation(id, send)));
    },
    /** Reads storage again, after it was changed elsewhere. @param key of the changed entry; null after all were removed */
    refresh(key: string | null): void {
      if (key === null) unstored.clear();
      else if (!key.startsWith(prefix)) return;
      const inMemory = [...unstored].map((id): [string, Kept] => [id, conversations.get(id) ?? nothing]);
      show(new Map([...readStored(), ...inMemory]));
    },
  };
}

let current: { email: string; outbox: Outbox } | null = null;

/** The outbox of the signed-in person, shared by all pages. */
export function outboxFor(email: string): Outbox {
  if (current === null) addEventListener('storage', ({ key }) => current?.outbox.refresh(key));
  if (current?.email !== email) current = { email, outbox: createOutbox(email, () => localStorage) };
  return current.outbox;
}
