import { releasePhotos } from '#server/listings/photos/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { eraseStatements, laptopInOpenComplaint, unfinishedOrders } from './store.ts';
import { unfinishedOrderSentence, unfinishedOrdersSentence } from './unfinished-orders.ts';

/** Why an account must not be deleted yet; null when it has no open complaint. */
export async function openComplaintObjection(
  transaction: Transaction,
  userId: string,
): Promise<string | null> {
  const laptop = await laptopInOpenComplaint(transaction, userId);
  if (laptop === null) return null;
  return `A complaint about ${laptop} is open, and both sides must be able to answer. Please wait until it is settled.`;
}

/**
 * Why an account must not be deleted by its owner yet: an order can still be complained about, and both sides must be there for it.
 * @returns a sentence with the day from which it works, if that is known; null without such an order
 */
export async function unfinishedOrderObjection(
  transaction: Transaction,
  userId: string,
): Promise<string | null> {
  const [last] = await unfinishedOrders(transaction, userId, 1);
  return last === undefined ? null : unfinishedOrderSentence(last);
}

/** The most orders that a message to an admin is about. */
const MAXIMUM_UNFINISHED = 1_000;

/** What becomes of the unfinished orders of an account that an admin ends; null without any. */
export async function unfinishedOrdersNote(transaction: Transaction, userId: string): Promise<string | null> {
  const orders = await unfinishedOrders(transaction, userId, MAXIMUM_UNFINISHED);
  return orders.length === 0 ? null : unfinishedOrdersSentence(orders);
}

/** Erases the texts and photos of a user's statements, in settled complaints. Their moves are kept. */
export async function removeStatementsOf(transaction: Transaction, userId: string): Promise<void> {
  await releasePhotos(transaction, await eraseStatements(transaction, userId));
}
