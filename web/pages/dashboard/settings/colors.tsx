import type { UseFormRegister } from 'react-hook-form';
import {
  chosenRoles,
  colorObjections,
  roleNames,
  type ShopSettings,
} from '#contract/platform/shop-settings.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { FormValues } from './form-values.ts';

interface ColorsProps {
  register: UseFormRegister<FormValues>;
  /** The chosen colours, which are checked while they are chosen. */
  colors: ShopSettings['colors'];
}

/** A colour for each role in both themes, with what cannot be read. */
export function Colors({ register, colors }: ColorsProps) {
  const objections = colorObjections(colors);
  return (
    <>
      <table className="w-full max-w-xl">
        <thead>
          <tr className="text-left text-muted text-sm">
            <th scope="col" className="py-1.5 font-normal">
              Role
            </th>
            <th scope="col" className="font-normal">
              Light
            </th>
            <th scope="col" className="font-normal">
              Dark
            </th>
          </tr>
        </thead>
        <tbody>
          {chosenRoles.map((role) => (
            <tr key={role} className="border-border border-t">
              <th scope="row" className="py-1.5 pr-3 text-left font-semibold text-sm">
                {roleNames[role]}
              </th>
              {(['light', 'dark'] as const).map((mode) => (
                <td key={mode} className="py-1.5 pr-3">
                  <input
                    type="color"
                    aria-label={`${roleNames[role]}, ${mode} theme`}
                    aria-invalid={objections.has(`${role}.${mode}`) || undefined}
                    className="h-9 w-14 cursor-pointer rounded-md border border-border-strong bg-surface p-0.5 aria-invalid:border-2 aria-invalid:border-danger"
                    {...register(`colors.${role}.${mode}`)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Notice tone="problem" role="status" className="empty:hidden">
        {objections.size > 0 && (
          <ul className="flex list-disc flex-col gap-1 pl-5">
            {[...objections].map(([field, sentence]) => (
              <li key={field}>{sentence}.</li>
            ))}
          </ul>
        )}
      </Notice>
    </>
  );
}
