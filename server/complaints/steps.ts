import type { Transaction } from '../database/tables.ts';
import { releasePhotos } from '../photos/steps.ts';
import { eraseStatements, openComplaintOf } from './store.ts';

/** Why an account must not be deleted yet; null when it has no open complaint. */
export async function openComplaintObjection(
  transaction: Transaction,
  userId: string,
): Promise<string | null> {
  const laptop = await openComplaintOf(transaction, userId);
  if (laptop === null) return null;
  return `A complaint about ${laptop} is open, and both sides must be able to answer. Please wait until it is settled.`;
}

/** Removes the words and photos of a user from settled complaints. What was done about them is kept. */
export async function removeStatementsOf(transaction: Transaction, userId: string): Promise<void> {
  await releasePhotos(transaction, await eraseStatements(transaction, userId));
}
