import { releasePhotos } from '#server/listings/photos/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { removeMeetingsOf } from './meeting-store.ts';
import * as messageStore from './message-store.ts';
import * as photoStore from './photo-store.ts';
import { eraseReportNotes } from './report-store.ts';
import * as store from './store.ts';

/**
 * Removes an ended account from its conversations: its blocks, its photos, its meetings, and all texts of conversations that nobody can read any more. The
 * others stay readable for the other person, without a name.
 * @returns whether messages of this user can still be read by somebody, and the number of the user's open reports, which keep their notes
 */
export async function leaveConversations(
  transaction: Transaction,
  userId: string,
): Promise<{ hasMessages: boolean; openReports: number }> {
  await store.deleteBlocksBy(transaction, userId);
  await releasePhotos(transaction, await photoStore.removePhotosOf(transaction, userId));
  await removeMeetingsOf(transaction, userId);
  const openReports = await eraseReportNotes(transaction, userId);
  await messageStore.eraseUnreadableTexts(transaction, userId);
  return { hasMessages: await messageStore.hasReadableMessages(transaction, userId), openReports };
}
