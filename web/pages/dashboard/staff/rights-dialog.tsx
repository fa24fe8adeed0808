import { useState } from 'react';
import { changeRights, inviteStaff, type StaffMember } from '#contract/operations/staff.ts';
import { useRecentSignIn } from '../../../forms/recent-sign-in.tsx';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { EmailInput, Field } from '../../../ui/field.tsx';
import { RightsFields, type RightsValues, toRights } from './rights-fields.tsx';

interface DialogProps {
  onClose: () => void;
}

/** Invites the owner of an address. */
export function InviteDialog({ onClose }: DialogProps) {
  const [open, setOpen] = useState(true);
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const close = () => {
    setOpen(false);
    onClose();
  };
  const form = useWriteForm(inviteStaff, {
    defaultValues: { email: '', kind: 'staff', areas: [] },
    input: ({ email, ...rights }: RightsValues & { email: string }) => ({
      body: { email, ...toRights(rights) },
    }),
    around: withRecentSignIn,
    done: 'The invitation is on its way.',
    onClose: close,
  });
  return (
    <>
      <FormDialog
        form={form}
        open={open}
        title="Invite an admin"
        description="We send a link that works once, within seven days, and for this address only."
        submit="Send the invitation"
        busy="Sending"
        onClose={close}
      >
        <Field label="Email" {...form.field('email')}>
          <EmailInput autoComplete="off" required />
        </Field>
        <RightsFields kind={form.watch('kind')} register={form.register} />
      </FormDialog>
      {dialog}
    </>
  );
}

/** Gives an admin other rights. */
export function RightsDialog({ member, onClose }: DialogProps & { member: StaffMember }) {
  const [open, setOpen] = useState(true);
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const close = () => {
    setOpen(false);
    onClose();
  };
  const form = useWriteForm(changeRights, {
    defaultValues: { kind: member.isOwner ? 'owner' : 'staff', areas: member.areas },
    input: (rights: RightsValues) => ({ params: { _id: member._id }, body: toRights(rights) }),
    around: withRecentSignIn,
    done: `The rights of ${member.name} are changed, and apply now.`,
    onClose: close,
  });
  return (
    <>
      <FormDialog
        form={form}
        open={open}
        title={`Rights of ${member.name}`}
        description={member.email}
        submit="Change the rights"
        busy="Changing"
        onClose={close}
      >
        <RightsFields kind={form.watch('kind')} register={form.register} />
      </FormDialog>
      {dialog}
    </>
  );
}
