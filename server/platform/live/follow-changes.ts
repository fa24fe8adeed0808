import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import { LiveChange } from '#contract/platform/live.ts';
import type { Notifications } from '../database/notification-listener.ts';
import type { Database } from '../database/tables.ts';
import { findEnded } from './store.ts';
import type { Streams } from './streams.ts';

/** The channel of PostgreSQL. Triggers and transactions notify it. */
const CHANNEL = 'live';

/** What the database notifies: a change for a person, or the end of a session or an account. */
const LiveNotification = z.union([
  z.extend(LiveChange, { to: z.string() }),
  z.object({ endedSession: z.string() }),
  z.object({ endedAccount: z.string() }),
]);

/** Parses the text of a notification. @returns null for one that this version does not know */
function parseNotification(text: string): z.infer<typeof LiveNotification> | null {
  try {
    return LiveNotification.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Closes the streams whose session or account has ended. */
async function closeEnded(database: Database, streams: Streams): Promise<void> {
  const { sessions, accounts } = await findEnded(database, streams.owners());
  streams.closeWhere(
    ({ userId, sessionId }) => accounts.has(userId) || (sessionId !== null && sessions.has(sessionId)),
  );
}

/**
 * Sends what the database notifies to the streams of this process.
 * @returns ends it
 */
export function followLiveChanges(
  {
    notifications,
    database,
    streams,
  }: { notifications: Notifications; database: Database; streams: Streams },
  log: FastifyBaseLogger,
): () => void {
  return notifications.subscribe(CHANNEL, {
    onConnect: () => {
      // Anything may have happened while the connection was lost.
      streams.sendEverything();
      closeEnded(database, streams).catch((error: unknown) => {
        log.warn({ err: error }, 'live streams are closed, because their sessions cannot be checked');
        streams.closeWhere(() => true);
      });
    },
    onNotification: (text) => {
      const notification = parseNotification(text);
      if (notification === null) {
        log.warn('a notification of a live change cannot be read');
      } else if ('to' in notification) {
        const { to, ...change } = notification;
        streams.send(to, change);
      } else if ('endedSession' in notification) {
        streams.closeWhere(({ sessionId }) => sessionId === notification.endedSession);
      } else {
        streams.closeWhere(({ userId }) => userId === notification.endedAccount);
      }
    },
  });
}
