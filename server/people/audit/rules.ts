import { type AuditAction, type AuditEntry, cardProcessorActions } from '#contract/people/audit.ts';
import type { Row } from '#server/platform/database/tables.ts';

/** An audit entry joined with its admin. The admin is null for the command line and for the card processor. */
export interface AuditRow extends Omit<Row<'audit_entries'>, 'admin_id' | 'person_ids'> {
  /** The names and addresses of whom it concerns, in their order; null for nobody. */
  people: string[] | null;
  admin_name: string | null;
  admin_email: string | null;
}

/** The name shown for an entry without an admin. */
const nameWithoutAdmin = (action: AuditAction) =>
  cardProcessorActions.some((known) => known === action) ? 'Card processor' : 'Command line';

/** The response for an audit entry. */
export function toResponse(row: AuditRow): AuditEntry {
  return {
    _id: row.id,
    adminName: row.admin_name ?? nameWithoutAdmin(row.act),
    adminEmail: row.admin_email ?? '',
    act: row.act,
    subject: toSubject(row),
    note: row.note,
    at: row.created_at.toISOString(),
  };
}

/** Whom or what an entry concerns, such as “EliteBook 840 of Ana, ana@shop.example”. */
function toSubject({ subject, people }: Pick<AuditRow, 'subject' | 'people'>): string {
  const named = people?.join(' and ') ?? '';
  if (subject === '' || named === '') return `${subject}${named}`;
  return people?.length === 1 ? `${subject} of ${named}` : `${subject}: ${named}`;
}
