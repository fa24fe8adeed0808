import type { UseFormRegisterReturn } from 'react-hook-form';
import { changeRights, inviteStaff, type StaffMember } from '#contract/operations/staff.ts';
import { areaNames, type StaffArea, staffAreas } from '#contract/platform/staff-rights.ts';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Radio } from '../../../ui/choice.tsx';
import { EmailInput, Field } from '../../../ui/field.tsx';

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

/** Invites the owner of an address. @param props.disabled whether there are too many invitations */
export function InviteAdmin({ disabled }: { disabled: boolean }) {
  const form = useWriteForm(inviteStaff, {
    defaultValues: { email: '', kind: 'staff', areas: [] },
    input: ({ email, ...rights }: RightsValues & { email: string }) => ({
      body: { email, ...toRights(rights) },
    }),
    done: 'The invitation is on its way.',
  });
  return (
    <>
      <Button onClick={form.dialog.open} disabled={disabled}>
        Invite an admin
      </Button>
      <FormDialog
        form={form}
        title="Invite an admin"
        description="We send a link that works once, within seven days, and for this address only."
        submit="Send the invitation"
        busy="Sending"
      >
        <Field label="Email" {...form.field('email')}>
          <EmailInput autoComplete="off" required />
        </Field>
        <RightsFields kind={form.watch('kind')} register={form.register} />
      </FormDialog>
    </>
  );
}

/** Gives an admin other rights. */
export function RightsDialog({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const form = useWriteForm(changeRights, {
    defaultValues: { kind: member.isOwner ? 'owner' : 'staff', areas: member.areas },
    input: (rights: RightsValues) => ({ params: { _id: member._id }, body: toRights(rights) }),
    done: `The rights of ${member.name} are changed, and apply now.`,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      open
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
