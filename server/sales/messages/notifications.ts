import { sql } from 'kysely';
import * as z from 'zod/mini';
import { notification } from '#server/people/notifications/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { unreadText } from './notification-texts.ts';
import { blocksOther, otherOf, type Side, sideOf } from './rules.ts';
import { findConversation } from './store.ts';

/** Notices that one transaction enqueues. */
const BATCH_ROWS = 100;

/** Messages have been unread for a while. `userId` is told, unless they were read meanwhile or their sender was blocked or has left. */
export const messagesUnread = notification(
  'messages.unread',
  z.object({ conversationId: z.string(), userId: z.string() }),
  async ({ database }, { conversationId, userId }) => {
    const row = await findConversation(database, conversationId, userId);
    const side = row === undefined ? null : sideOf(row, userId);
    if (row === undefined || side === null || row.unread === 0) return null;
    if (blocksOther(row, side) || otherOf(row, side).endedAt !== null) return null;
    return { userId, laptopId: row.laptop_id, text: unreadText(row, side) };
  },
);

/** Enqueues the notifications about messages that were unread until now. Several processes can do this at once. */
export async function enqueueUnreadNotifications(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  now: Date,
): Promise<void> {
  const take = (side: Side) =>
    database.transaction().execute(async (transaction) => {
      const notice = sql.ref(`${side}_notice_at`);
      const { rows } = await sql<{ id: string; user_id: string }>`
        update conversations set ${notice} = null, ${sql.ref(`${side}_told`)} = messages
         where id in (select id from conversations where ${notice} <= ${now}
                       order by ${notice} limit ${sql.lit(BATCH_ROWS)} for update skip locked)
        returning id, ${sql.ref(`${side}_id`)} as user_id`.execute(transaction);
      for (const { id, user_id } of rows) {
        await enqueue(transaction, messagesUnread, { conversationId: id, userId: user_id });
      }
      return rows.length;
    });
  for (const side of ['buyer', 'seller'] as const) while ((await take(side)) === BATCH_ROWS);
}
