import { Readable } from 'node:stream';
import { CHANGE_EVENT, type LiveChange } from '#contract/platform/live.ts';

/** Whose stream it is, by the token with which it was opened. */
export interface StreamOwner {
  userId: string;
  /** The identity provider's session id; null without one. */
  sessionId: string | null;
  /** Expiry of the token, in seconds since 1970. */
  expiresAt: number;
}

/** The response through which a stream is sent. */
interface Connection {
  /** Bytes that the client has not read yet, besides those in the system's buffers. */
  readonly writableLength: number;
  destroy(): void;
}

interface Stream extends StreamOwner {
  events: Readable;
  connection: Connection;
  /** In milliseconds since 1970. */
  writtenAt: number;
}

/** The most streams of a person, such as one for each of their browsers. The oldest makes way for another one. */
export const MAXIMUM_STREAMS_PER_PERSON = 10;

/** The most streams of a process. */
const MAXIMUM_STREAMS = 10_000;

/** The bytes that a client may leave unread before its stream is closed. */
const MAXIMUM_UNREAD_BYTES = 16 * 1024;

/** A stream without events gets a comment after this time, in milliseconds, so that no proxy takes it for dead. */
const HEARTBEAT_MS = 20_000;

/** How often heartbeats and expired tokens are looked for, in milliseconds. */
const TICK_MS = 1_000;

const COMMENT = ':\n\n';

const toEvent = (change: LiveChange): string => `event: ${CHANGE_EVENT}\ndata: ${JSON.stringify(change)}\n\n`;

export type Streams = ReturnType<typeof createStreams>;

/**
 * Keeps the open streams of a process. Nothing here reads the database.
 * @param limits for tests
 */
export function createStreams({
  maximum = MAXIMUM_STREAMS,
  heartbeatMs = HEARTBEAT_MS,
  tickMs = TICK_MS,
}: {
  maximum?: number;
  heartbeatMs?: number;
  tickMs?: number;
} = {}) {
  const all = new Set<Stream>();
  /** The streams of each person, the oldest first. */
  const byPerson = new Map<string, Set<Stream>>();

  function remove(stream: Stream): void {
    all.delete(stream);
    const own = byPerson.get(stream.userId);
    own?.delete(stream);
    if (own?.size === 0) byPerson.delete(stream.userId);
  }

  /** Ends a stream. The client reads what was sent before. */
  function close(stream: Stream): void {
    remove(stream);
    stream.events.push(null);
  }

  function write(stream: Stream, text: string): void {
    stream.writtenAt = Date.now();
    stream.events.push(text);
    if (stream.events.readableLength + stream.connection.writableLength <= MAXIMUM_UNREAD_BYTES) return;
    remove(stream);
    stream.connection.destroy();
  }

  function closeWhere(isEnded: (owner: StreamOwner) => boolean): void {
    for (const stream of all) if (isEnded(stream)) close(stream);
  }

  const timer = setInterval(() => {
    const now = Date.now();
    for (const stream of all) {
      if (stream.expiresAt * 1000 <= now) close(stream);
      else if (now - stream.writtenAt >= heartbeatMs) write(stream, COMMENT);
    }
  }, tickMs);
  timer.unref();

  return {
    count: () => all.size,
    owners: (): readonly StreamOwner[] => [...all],
    /**
     * Opens a stream. Its first event says that everything may have changed.
     * @returns the events to send through `connection`; null when the process has too many streams
     */
    open(owner: StreamOwner, connection: Connection): Readable | null {
      const own = byPerson.get(owner.userId) ?? new Set();
      const [oldest] = own;
      if (oldest !== undefined && own.size >= MAXIMUM_STREAMS_PER_PERSON) close(oldest);
      if (all.size >= maximum) return null;
      const events = new Readable({ read: () => undefined });
      const { userId, sessionId, expiresAt } = owner;
      const stream = { userId, sessionId, expiresAt, events, connection, writtenAt: 0 };
      events.once('close', () => remove(stream));
      all.add(stream);
      byPerson.set(userId, own.add(stream));
      write(stream, toEvent({ about: 'everything' }));
      return events;
    },
    /** Sends a change to all streams of a person. */
    send(userId: string, change: LiveChange): void {
      const own = byPerson.get(userId);
      if (own === undefined) return;
      const event = toEvent(change);
      for (const stream of own) write(stream, event);
    },
    /** Tells every stream that changes may have been missed. */
    sendEverything(): void {
      const event = toEvent({ about: 'everything' });
      for (const stream of all) write(stream, event);
    },
    closeWhere,
    /** Closes all streams and the timer. */
    stop(): void {
      clearInterval(timer);
      closeWhere(() => true);
    },
  };
}
