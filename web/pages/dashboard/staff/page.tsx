import { useState } from 'react';
import {
  listStaff,
  MAXIMUM_INVITATIONS,
  removeStaff,
  resendInvitation,
  type StaffInvitation,
  type StaffMember,
  withdrawInvitation,
} from '#contract/operations/staff.ts';
import { describeRights } from '#contract/platform/staff-rights.ts';
import { Day } from '../../../formats/date-time.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { RowMenu } from '../../../lists/row-menu.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/section.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { type Column, menuColumn, nameColumn, Table } from '../../../ui/table.tsx';
import { InviteAdmin, RightsDialog } from './rights-dialog.tsx';

/** The dialog that is open. */
type Open = { kind: 'invite' } | { kind: 'rights' | 'remove'; member: StaffMember } | null;

function RemoveDialog({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const removal = useWrite(removeStaff, {
    done: `${member.name} is no longer an admin.`,
    untilRead: true,
  });
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Remove ${member.name} as an admin?`}
      message="The account becomes a buyer’s at once, and its notifications are deleted. What it did stays in the audit trail. Invitations that it sent no longer work."
      closeLabel="Cancel"
      confirm={{
        label: 'Remove',
        busy: removal.isPending && 'Removing',
        onConfirm: () => removal.mutate({ params: { _id: member._id } }, { onSuccess: onClose }),
      }}
    />
  );
}

const rightsBadge = (rights: Pick<StaffMember, 'isOwner' | 'areas'>) => (
  <Badge tone={rights.isOwner ? 'trust' : 'neutral'}>{describeRights(rights)}</Badge>
);

const memberColumns: Column<StaffMember>[] = [
  {
    heading: 'Admin',
    lead: true,
    cell: ({ name, email }) => (
      <span className="min-w-20 wrap-anywhere">
        <span className="font-semibold">{name}</span>
        <span className="block text-muted text-sm">{email}</span>
      </span>
    ),
  },
  { heading: 'Rights', cell: rightsBadge },
];

const invitationStates: Readonly<Record<StaffInvitation['state'], string | null>> = {
  valid: null,
  expired: 'Expired: send it again',
  orphaned: 'Its sender is no longer an owner: send it again',
};

const invitationColumns: Column<StaffInvitation>[] = [
  nameColumn('Invited', ({ email }) => <span className="wrap-anywhere">{email}</span>),
  { heading: 'Rights', cell: rightsBadge },
  {
    heading: 'Works until',
    cell: ({ state, expiresAt }) => invitationStates[state] ?? <Day at={expiresAt} />,
  },
];

function Invitations({ invitations }: { invitations: readonly StaffInvitation[] }) {
  const sending = useWrite(resendInvitation, {
    done: 'A new link is on its way. The one before no longer works.',
  });
  const withdrawal = useWrite(withdrawInvitation, {
    done: 'The invitation is withdrawn.',
  });
  const itemsOf = ({ _id, email }: StaffInvitation) => {
    const item = (text: string, { mutate }: typeof sending | typeof withdrawal) => ({
      text,
      label: `${text}: ${email}`,
      onClick: () => mutate({ params: { _id } }),
    });
    return [item('Send again', sending), item('Withdraw', withdrawal)];
  };
  return (
    <Section title="Open invitations" heading="mb-4 text-xl" className="mt-10">
      <Table
        caption="Table of the open invitations"
        columns={[
          ...invitationColumns,
          menuColumn<StaffInvitation>((invitation) => (
            <RowMenu name={invitation.email} items={itemsOf(invitation)} />
          )),
        ]}
        rows={invitations}
        rowKey={({ _id }) => _id}
      />
    </Section>
  );
}

function Members({ members }: { members: readonly StaffMember[] }) {
  const { email: ownEmail } = usePerson();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Table
        caption="Table of the admins"
        columns={[
          ...memberColumns,
          menuColumn<StaffMember>((member) => (
            <RowMenu
              name={member.name}
              items={[
                {
                  text: 'Change rights',
                  label: `Change rights: ${member.name}`,
                  onClick: () => setOpen({ kind: 'rights', member }),
                },
                {
                  text: member.email === ownEmail ? 'Remove yourself' : 'Remove',
                  label: `Remove: ${member.name}`,
                  isDangerous: true,
                  onClick: () => setOpen({ kind: 'remove', member }),
                },
              ]}
            />
          )),
        ]}
        rows={members}
        rowKey={({ _id }) => _id}
      />
      {open?.kind === 'rights' && <RightsDialog member={open.member} onClose={close} />}
      {open?.kind === 'remove' && <RemoveDialog member={open.member} onClose={close} />}
    </>
  );
}

/** The admins with their rights, and the invitations, for owners. */
export default function StaffPage() {
  const staff = useRead(listStaff, {}, { refetchOnMount: 'always' });
  return (
    <>
      <PageHeading title="Staff">
        Who works for the shop, and what each may do. Changes apply at the next click of the person, and are
        recorded in the audit trail.
      </PageHeading>
      <QueryView query={staff} what="the staff" skeleton={<Skeletons className="h-16" />}>
        {({ members, invitations }) => (
          <>
            <Members members={members} />
            <div className="mt-6">
              <InviteAdmin disabled={invitations.length >= MAXIMUM_INVITATIONS} />
            </div>
            {invitations.length > 0 && <Invitations invitations={invitations} />}
          </>
        )}
      </QueryView>
    </>
  );
}
