import { type AuditAction, type AuditEntry, cardProcessorActions } from '#contract/people/audit.ts';

/** An audit entry joined with its admin. The admin is null for the command line and for the card processor. */
export interface AuditRow {
  id: string;
  number: string;
  act: AuditAction;
  laptop_id: string | null;
  subject: string;
  note: string;
  created_at: Date;
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
    subject: row.subject,
    note: row.note,
    at: row.created_at.toISOString(),
  };
}

/** The subject of an entry about a person: their name and address at that time. */
export const personSubject = ({ name, email }: { name: string; email: string }): string =>
  `${name}, ${email}`;
