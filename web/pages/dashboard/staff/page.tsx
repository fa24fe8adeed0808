import { useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import {
  changeRights,
  inviteStaff,
  listStaff,
  removeStaff,
  type StaffInvitation,
  type StaffMember,
  withdrawInvitation,
} from '#contract/operations/staff.ts';
import { areaNames, describeRights, type StaffArea, staffAreas } from '#contract/platform/staff-rights.ts';
import { Day } from '../../../formats/date-time.tsx';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { WriteQuestion } from '../../../forms/write-button.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { RowMenu } from '../../../lists/row-menu.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Radio } from '../../../ui/choice.tsx';
import { EmailInput, Field } from '../../../ui/field.tsx';
import { Section } from '../../../ui/section.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { type Column, menuColumn, nameColumn, Table } from '../../../ui/table.tsx';

/** The rights as a form holds them. */
interface RightsValues {
  kind: 'owner' | 'staff';
  areas: StaffArea[];
}

/** The rights as a request has them. */
const toRights = ({ kind, areas }: RightsValues) => ({
  isOwner: kind === 'owner',
  areas: kind === 'owner' ? [] : staffAreas.filter((area) => areas.includes(area)),
});

const descriptions: Readonly<Record<StaffArea, string>> = {
  inspections: 'looks at laptops and approves them',
  complaints: 'decides about complaints, parcels, reports and reviews, and reads orders',
  people: 'checks sellers, approves names and ends accounts',
  money: 'refunds, pays sellers, explains movements, and reads orders and receipts',
  settings: 'changes settings, brands and pages',
};

interface RightsFieldsProps {
  kind: RightsValues['kind'];
  /** Registers a control of the form. */
  register: (name: keyof RightsValues) => UseFormRegisterReturn;
}

/** Chooses between an owner and an admin with areas. None is chosen at first: the least comes first. */
function RightsFields({ kind, register }: RightsFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold text-sm">Rights</legend>
      <label className="flex items-start gap-3">
        <Radio value="staff" {...register('kind')} />
        <span>May do what is chosen here</span>
      </label>
      {kind === 'staff' &&
        staffAreas.map((area) => (
          <label key={area} className="ml-8 flex items-start gap-3">
            <Checkbox value={area} {...register('areas')} />
            <span className="min-w-0">
              <span className="font-semibold">{areaNames[area]}</span>
              <span className="block text-muted text-sm">{descriptions[area]}</span>
            </span>
          </label>
        ))}
      <label className="flex items-start gap-3">
        <Radio value="owner" {...register('kind')} />
        <span className="min-w-0">
          Owner
          <span className="block text-muted text-sm">
            may do everything, also give others rights and take them away
          </span>
        </span>
      </label>
    </fieldset>
  );
}

/** The rights of an admin or an invitation as a form holds them. */
const toValues = ({ isOwner, areas }: Pick<StaffMember, 'isOwner' | 'areas'>): RightsValues => ({
  kind: isOwner ? 'owner' : 'staff',
  areas,
});

interface InvitationFormProps {
  /** An open invitation that the new one replaces. Left out: a new one, with a button that opens the form. */
  invitation?: StaffInvitation;
  /** With an invitation: closes the form. */
  onClose?: () => void;
}

/** Invites the owner of an address. */
function InvitationForm({ invitation, onClose }: InvitationFormProps) {
  const form = useWriteForm(inviteStaff, {
    defaultValues: {
      email: invitation?.email ?? '',
      ...toValues(invitation ?? { isOwner: false, areas: [] }),
    },
    input: ({ email, ...rights }: RightsValues & { email: string }) => ({
      body: { email, ...toRights(rights) },
    }),
    done: 'The invitation is on its way.',
    onClose,
  });
  return (
    <>
      {invitation === undefined && <Button onClick={form.dialog.open}>Invite an admin</Button>}
      <FormDialog
        form={form}
        title={invitation === undefined ? 'Invite an admin' : `Invite ${invitation.email} again`}
        description="We send a link that works once, within seven days, and for this address only. An earlier invitation of the address ends: its link no longer works, and the rights chosen here replace its rights."
        submit="Send the invitation"
        busy="Sending"
        onClose={onClose}
      >
        <Field label="Email" {...form.field('email')}>
          <EmailInput autoComplete="off" required readOnly={invitation !== undefined} />
        </Field>
        <RightsFields kind={form.watch('kind')} register={form.register} />
      </FormDialog>
    </>
  );
}

/** Gives an admin other rights. */
function RightsDialog({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const form = useWriteForm(changeRights, {
    defaultValues: toValues(member),
    input: (rights: RightsValues) => ({ params: { _id: member._id }, body: toRights(rights) }),
    done: `The rights of ${member.name} are changed, and apply now.`,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Rights of ${member.name}`}
      description={member.email}
      submit="Change the rights"
      busy="Changing"
      onClose={onClose}
    >
      <RightsFields kind={form.watch('kind')} register={form.register} />
    </FormDialog>
  );
}

/** The dialog that is open. */
type Open = { kind: 'rights' | 'remove'; member: StaffMember } | null;

const RemoveDialog = ({ member, onClose }: { member: StaffMember; onClose: () => void }) => (
  <WriteQuestion
    endpoint={removeStaff}
    input={{ params: { _id: member._id } }}
    done={`${member.name} is no longer an admin.`}
    onClose={onClose}
    staysAfterFailure
    title={`Remove ${member.name} as an admin?`}
    message="The account becomes a buyer’s at once, and its notifications are deleted. What it did stays in the audit trail. Invitations that it sent no longer work."
    yes="Remove"
    busy="Removing"
    no="Cancel"
  />
);

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
  expired: 'Expired: invite again',
  orphaned: 'Its sender is no longer an owner: invite again',
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
  const withdrawal = useWrite(withdrawInvitation, {
    done: 'The invitation is withdrawn.',
  });
  const [again, setAgain] = useState<StaffInvitation | null>(null);
  const itemsOf = (invitation: StaffInvitation) => [
    { text: 'Invite again', onClick: () => setAgain(invitation) },
    { text: 'Withdraw', onClick: () => withdrawal.mutate({ params: { _id: invitation._id } }) },
  ];
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
      {again !== null && <InvitationForm invitation={again} onClose={() => setAgain(null)} />}
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
                { text: 'Change rights', onClick: () => setOpen({ kind: 'rights', member }) },
                {
                  text: member.email === ownEmail ? 'Remove yourself' : 'Remove',
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
              <InvitationForm />
            </div>
            {invitations.length > 0 && <Invitations invitations={invitations} />}
          </>
        )}
      </QueryView>
    </>
  );
}
