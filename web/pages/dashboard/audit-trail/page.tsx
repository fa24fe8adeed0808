import { type AuditEntry, listAuditTrail } from '#contract/people/audit.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { EmailAddress } from '../../../formats/email-address.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { type Column, nameColumn } from '../../../ui/table.tsx';

const textClasses = 'block text-right wrap-anywhere @2xl:text-left';

const columns: Column<AuditEntry>[] = [
  nameColumn('What', ({ act }) => act),
  {
    heading: 'On whom',
    cell: ({ subject }) => (
      <span className={`${textClasses} min-w-36 @min-[52rem]:min-w-56`}>
        <EmailAddress>{subject}</EmailAddress>
      </span>
    ),
  },
  {
    heading: 'Note',
    cell: ({ note }) =>
      note === '' ? (
        <span className="text-muted">No note</span>
      ) : (
        <span className={`${textClasses} min-w-24 whitespace-pre-line`}>{note}</span>
      ),
  },
  {
    heading: 'Who',
    cell: ({ adminName, adminEmail }) => (
      <span className={`${textClasses} min-w-32 @min-[52rem]:min-w-48`}>
        {adminName}{' '}
        <span className="block text-muted text-sm">
          <EmailAddress>{adminEmail}</EmailAddress>
        </span>
      </span>
    ),
  },
  { heading: 'When', cell: ({ at }) => <DateTime at={at} /> },
];

export default function AuditTrail() {
  return (
    <>
      <PageHeading title="Audit Trail">
        All actions of administrators, failed refunds and disputes, newest first. Entries cannot be changed.
      </PageHeading>
      <ListTable
        endpoint={listAuditTrail}
        what="the audit trail"
        columns={columns}
        emptyTitle="No entries yet"
        empty="Verifying a seller, deleting an account, dismissing reports, taking a laptop down, failed refunds and disputed payments are recorded here."
      />
    </>
  );
}
