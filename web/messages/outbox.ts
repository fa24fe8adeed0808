import type { MutationOptions, QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Problem } from '#contract/platform/client.ts';
import type { Message } from '#contract/sales/messages.ts';
import { errorMessage } from '../requests/error-message.ts';
import { MESSAGES_KEY } from '../session/forget-private-data.ts';
import { tryStorage } from '../ui/browser-storage.ts';

/** How long a message is sent again by itself: less than the server remembers its key, so that it is never sent twice. */
const RETRY_FOR_MS = 20 * 60 * 60_000;

/** How long a failed attempt without a refusal waits for the next one. Without a connection the next one waits for that. */
const RETRY_AFTER_MS = 10_000;

/** The most messages of a conversation that wait in a browser. */
export const MAXIMUM_WAITING = 20;

export const Unsent = z.object({
  conversationId: z.string(),
  /** The idempotency key. */
  key: z.string(),
  text: z.string(),
  /** The addresses of uploaded photos. */
  photos: z.array(z.string()),
  /** When it was written, ISO 8601 in UTC. */
  at: z.string(),
  /** The sequence number of the latest message that was shown when it was written. */
  after: z.int(),
});
/** An own message that the shop has not confirmed: the variables of its mutation. */
export type Unsent = z.infer<typeof Unsent>;

/** What storage has of a message. `failure` tells why it was refused; null while it is being sent or waits for a connection. */
const Stored = z.object({ message: Unsent, failure: z.nullable(z.string()) });

/** A message that waits, with the reason if it was refused. */
export interface Waiting extends Unsent {
  failure: string | null;
}

/** Sends a message under its idempotency key. @throws Problem */
export type Send = (message: Unsent) => Promise<void>;

type OutboxStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/** The key of the mutations of all messages, and with the id of a conversation of its messages. */
export const mutationKeyOf = (...conversationId: string[]) => ['outbox', ...conversationId];

const expired = 'It could not be sent for a day. Perhaps it was sent before; please look, and send it again.';

/** Whether an attempt can succeed later with the same key: nothing is known about it, or the shop asks to wait. */
const isTemporary = (error: Error) =>
  !(error instanceof Problem) ||
  error.status === 0 ||
  error.status === 401 ||
  error.status >= 500 ||
  error.code === 'request_in_progress';

/** Whether a message waited so long that the shop may have forgotten its key. */
const isExpired = ({ at }: Unsent): boolean => Date.now() - Date.parse(at) > RETRY_FOR_MS;

const refusal = (detail: string) => new Problem({ status: 409, code: 'not_sent', detail });

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

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * The unsent messages of a person. Each message is a mutation of the person's query client: those of a conversation
 * are sent one after the other, paused without a connection, and repeated until the shop has answered. Storage has them as well,
 * one entry each, so that they outlive a reload and the tabs share them. Two tabs can send the same message: the shop knows it by
 * its key. What storage does not take is only in memory.
 * @param storage may throw
 */
export function createOutbox(queries: QueryClient, email: string, storage: () => OutboxStorage, send: Send) {
  const prefix = `${MESSAGES_KEY}${email}:`;
  const mutations = queries.getMutationCache();

  const nameOf = ({ conversationId, key }: Unsent) => `${conversationId}:${key}`;
  const store = (message: Unsent, failure: string | null): void =>
    void tryStorage(() => storage().setItem(prefix + nameOf(message), JSON.stringify({ message, failure })));

  const optionsOf = ({ conversationId, key }: Unsent): MutationOptions<void, Error, Unsent> => ({
    mutationKey: mutationKeyOf(conversationId),
    scope: { id: `outbox ${conversationId}` },
    networkMode: 'online',
    gcTime: Number.POSITIVE_INFINITY,
    // A sign-out empties the cache. The next page sends what storage has.
    retry: (_failures, error) => isTemporary(error) && find(key) !== undefined,
    retryDelay: RETRY_AFTER_MS,
    mutationFn: async (message) => {
      if (find(key) === undefined) throw refusal('The message was removed.');
      if (isExpired(message)) throw refusal(expired);
      await send(message);
    },
    onMutate: (message) => store(message, null),
    onSuccess: () => remove(key),
    onError: (error, message) => {
      if (find(key) !== undefined) store(message, errorMessage(error));
    },
  });

  const messageOf = (mutation: { state: { variables: unknown } } | undefined): Unsent | undefined =>
    z.safeParse(Unsent, mutation?.state.variables).data;
  const find = (key: string) => mutations.find({ predicate: (mutation) => messageOf(mutation)?.key === key });

  /** Removes a message, after it was sent or by its writer. */
  function remove(key: string): void {
    const mutation = find(key);
    const message = messageOf(mutation);
    if (mutation === undefined || message === undefined) return;
    tryStorage(() => storage().removeItem(prefix + nameOf(message)));
    mutations.remove(mutation);
  }

  function add(message: Unsent): void {
    // Its state tells of a failure.
    mutations
      .build(queries, optionsOf(message))
      .execute(message)
      .catch(() => undefined);
  }

  /** Takes a message from storage. It is sent unless it was refused. */
  function restore({ message, failure }: z.infer<typeof Stored>): void {
    if (find(message.key) !== undefined) return;
    const mutation = mutations.build(queries, optionsOf(message), {
      context: undefined,
      data: undefined,
      error: failure === null ? null : refusal(failure),
      failureCount: 0,
      failureReason: null,
      isPaused: failure === null,
      status: failure === null ? 'pending' : 'error',
      variables: message,
      submittedAt: Date.parse(message.at),
    });
    mutation.continue().catch(() => undefined);
  }

  const namesInStorage = (): string[] =>
    (
      tryStorage(() => Array.from({ length: storage().length }, (_, index) => storage().key(index))) ?? []
    ).flatMap((key) => (key?.startsWith(prefix) ? [key.slice(prefix.length)] : []));

  const readStored = (name: string) =>
    tryStorage(() => Stored.parse(JSON.parse(storage().getItem(prefix + name) ?? '')));

  const stored = namesInStorage().flatMap((name) => {
    const entry = readStored(name);
    // What an earlier version stored: nobody sees it, but a sign-out would ask about it.
    if (entry === null) tryStorage(() => storage().removeItem(prefix + name));
    return entry ?? [];
  });
  for (const entry of stored.sort((one, other) => one.message.at.localeCompare(other.message.at)))
    restore(entry);

  return {
    add,
    remove,
    /** Sends a refused message again, as a new one: the shop has not stored it. */
    retry(key: string, next: Pick<Unsent, 'key' | 'at'>): void {
      const refused = messageOf(find(key));
      remove(key);
      if (refused !== undefined) add({ ...refused, ...next });
    },
    /** Follows a change of storage by another tab. @param key of the changed entry; null after all were removed */
    refresh(key: string | null): void {
      const name = key?.startsWith(prefix) ? key.slice(prefix.length) : null;
      if (key !== null && name === null) return;
      for (const mutation of mutations.findAll({ mutationKey: mutationKeyOf() })) {
        const message = messageOf(mutation);
        if (message === undefined || (name !== null && name !== nameOf(message))) continue;
        if (readStored(nameOf(message)) === null) mutations.remove(mutation);
      }
      const changed = name === null ? null : readStored(name);
      if (changed !== null) restore(changed);
    },
  };
}

const outboxes = new WeakMap<QueryClient, Outbox>();
let current: Outbox | null = null;

/** The outbox of a query client, shared by all pages. It sends what an earlier page has left. */
export function outboxFor(queries: QueryClient, email: string, send: Send): Outbox {
  if (current === null) addEventListener('storage', ({ key }) => current?.refresh(key));
  current = outboxes.get(queries) ?? createOutbox(queries, email, () => localStorage, send);
  outboxes.set(queries, current);
  return current;
}
