import type { Transaction } from '../database/tables.ts';
import { releasePhotos } from '../photos/steps.ts';
import { eraseStatements, laptopInOpenComplaint } from './store.ts';

/** Why an account must not be deleted yet; null when it has no open complaint. */
export async function openComplaintObjection(
  transaction: Transaction,
  userId: string,
): Promise<string | null> {
  const laptop = await laptopInOpenComplaint(transaction, userId);
  if (laptop === null) return null;
  return `A complaint about ${laptop} is open, and both sides must be able to answer. Please wait until it is settled.`;
}

/** Erases the texts and photos of a user's statements, in settled complaints. Their moves are kept. */
export async function removeStatementsOf(transaction: Transaction, userId: string): Promise<void> {
  await releasePhotos(transaction, await eraseStatements(transaction, userId));
}
