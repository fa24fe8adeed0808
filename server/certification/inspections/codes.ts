import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '#server/platform/database/tables.ts';
import { type CodeUse, consumeCode, findCode, type UsableCode } from './code-store.ts';
import { selectDraftForUpdate } from './draft-store.ts';
import { canonicalCode, formatCode } from './rules.ts';

/** A new one-time code. */
export const newCode = (): string => formatCode(randomBytes(12));

/** The hash under which a typed code is stored. */
export const hashCode = (typed: string): string =>
  createHash('sha256').update(canonicalCode(typed)).digest('hex');

/** Uses a code once, and locks its draft. @returns null for an unknown, used or expired one */
export async function useCode(
  transaction: Transaction,
  codeSha256: string,
  use: CodeUse,
): Promise<UsableCode | null> {
  const code = await findCode(transaction, codeSha256, use);
  if (code === undefined) return null;
  if (code.isDraft && (await selectDraftForUpdate(transaction, code)) === undefined) return null;
  return (await consumeCode(transaction, codeSha256, use)) ? code : null;
}

/** What a code measures. */
export const measuredBy = ({ id, isDraft }: UsableCode) => (isDraft ? { draft_id: id } : { laptop_id: id });
