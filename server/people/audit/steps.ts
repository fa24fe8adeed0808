import type { AuditAction } from '#contract/people/audit.ts';
import type { Transaction } from '#server/platform/database/tables.ts';

/** Who acts: an admin, or the command line, which is no user. */
export interface Actor {
  userId: string | null;
}

export { countAuditByAdmin, latestAuditOfLaptops, recordRead } from './store.ts';

/**
 * Appends an entry to the audit trail. A trigger rejects every update and delete.
 * @param entry.adminId null for the command line and for the card processor
 * @param entry.laptopId the laptop in whose history the entry is listed
 * @param entry.personIds whom it concerns. An entry is kept for ever, so neither subject nor note names a person
 * @param entry.subject the laptop or payment, as text, which stays correct when it changes
 */
export async function recordAudit(
  transaction: Transaction,
  entry: {
    act: AuditAction;
    personIds?: string[];
    subject?: string;
    note?: string;
    adminId?: string | null;
    laptopId?: string | null;
  },
): Promise<void> {
  const { act, personIds = [], subject = '', note = '', adminId = null, laptopId = null } = entry;
  await transaction
    .insertInto('audit_entries')
    .values({ admin_id: adminId, act, laptop_id: laptopId, person_ids: personIds, subject, note })
    .execute();
}
