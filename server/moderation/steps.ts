import type { CardAct } from '#contract/moderation.ts';
import type { Transaction } from '../database/tables.ts';
import * as store from './store.ts';

/** Writes into the audit trail what the card processor reported. */
export function recordCardAct(
  transaction: Transaction,
  entry: { act: CardAct; subject: string; note: string },
): Promise<void> {
  return store.insertAudit(transaction, { admin_id: null, laptop_id: null, ...entry });
}
