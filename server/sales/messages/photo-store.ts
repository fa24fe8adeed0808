import { sql } from 'kysely';
import type { Database, Transaction } from '#server/platform/database/tables.ts';

/** Records a private photo of a conversation, before it is sent. */
export async function recordUpload(
  database: Database,
  upload: Readonly<Record<'photo_hash' | 'photo' | 'conversation_id' | 'uploader_id', string>>,
): Promise<void> {
  await database
    .insertInto('message_photos')
    .values({ ...upload, sequence: null })
    .execute();
}

/** Gives uploads of a person to a message of the same conversation. @returns their number; others and sent ones are left out */
export async function claimUploads(
  transaction: Transaction,
  photos: readonly string[],
  message: Readonly<Record<'conversationId' | 'uploaderId', string>> & { sequence: number },
): Promise<string[]> {
  const rows = await transaction
    .updateTable('message_photos')
    .set({ sequence: message.sequence })
    .where('photo', 'in', photos)
    .where('conversation_id', '=', message.conversationId)
    .where('uploader_id', '=', message.uploaderId)
    .where('sequence', 'is', null)
    .returning('photo_hash')
    .execute();
  return rows.map(({ photo_hash }) => photo_hash);
}

/** Removes the photos that a user has sent or uploaded from all messages. @returns the photos */
export async function removePhotosOf(transaction: Transaction, userId: string): Promise<string[]> {
  await sql`update messages set photos = '{}' where sender_id = ${userId} and photos <> '{}'`.execute(
    transaction,
  );
  const rows = await transaction
    .deleteFrom('message_photos')
    .where('uploader_id', '=', userId)
    .returning('photo')
    .execute();
  return rows.map(({ photo }) => photo);
}
