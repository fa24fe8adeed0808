import type { UseFormRegisterReturn } from 'react-hook-form';
import { areaNames, type StaffArea, staffAreas } from '#contract/platform/staff-rights.ts';
import { Checkbox, Radio } from '../../../ui/choice.tsx';

/** The rights as a form holds them. */
export interface RightsValues {
  kind: 'owner' | 'staff';
  areas: StaffArea[];
}

/** The rights as a request has them. */
export const toRights = ({ kind, areas }: RightsValues) => ({
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
export function RightsFields({ kind, register }: RightsFieldsProps) {
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
