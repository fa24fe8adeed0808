import type { AuditAction } from '#contract/audit.ts';
import type { Reader, Transaction } from '../database/tables.ts';
import type { AuditRow } from './rules.ts';
import * as store from './store.ts';

/**
 * Appends an entry to the audit trail.
 * @param entry.adminId null for the command line and for the card processor
 * @param entry.laptopId the laptop in whose history the entry is listed
 * @param entry.subject the person, laptop or payment, as text, which stays correct when they change
 */
export function recordAudit(
  transaction: Transaction,
  entry: {
    act: AuditAction;
    subject: string;
    note?: string;
    adminId?: string | null;
    laptopId?: string | null;
  },
): Promise<void> {
  const { act, subject, note = '', adminId = null, laptopId = null } = entry;
  return store.insert(transaction, { admin_id: adminId, act, laptop_id: laptopId, subject, note });
}

/** Lists the latest entries about each of these laptops, at most `limit` per laptop, oldest first. */
export function latestAuditOfLaptops(
  reader: Reader,
  laptopIds: readonly string[],
  limit: number,
): Promise<AuditRow[]> {
  return store.latestOfLaptops(reader, laptopIds, limit);
}

/** Counts the entries of an admin's actions. */
export function countAuditByAdmin(reader: Reader, adminId: string): Promise<number> {
  return store.countByAdmin(reader, adminId);
}
