import type { UseFormRegister } from 'react-hook-form';
import {
  chosenRoles,
  colorRefusals,
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
  const refusals = colorRefusals(colors);
  return (
    <>
      {/* Rows wrap: at 200 % text a table would be wider than a phone. */}
      <div className="max-w-xl">
        <p aria-hidden="true" className="flex justify-end gap-3 text-muted text-sm">
          <span className="w-12">Light</span>
          <span className="w-12">Dark</span>
        </p>
        <ul>
          {chosenRoles.map((role) => (
            <li
              key={role}
              className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1.5 border-border border-t py-1.5"
            >
              <span className="grow basis-44 font-semibold text-sm">{roleNames[role]}</span>
              <span className="flex gap-3">
                {(['light', 'dark'] as const).map((mode) => (
                  <input
                    key={mode}
                    type="color"
                    aria-label={`${roleNames[role]}, ${mode} theme`}
                    aria-invalid={refusals.has(`${role}.${mode}`) || undefined}
                    className="h-9 w-12 cursor-pointer rounded-md border border-border-strong bg-surface p-0.5 aria-invalid:border-2 aria-invalid:border-danger"
                    {...register(`colors.${role}.${mode}`)}
                  />
                ))}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <Notice tone="problem" role="status" className="empty:hidden">
        {refusals.size > 0 && (
          <ul className="flex list-disc flex-col gap-1 pl-5">
            {[...refusals].map(([field, sentence]) => (
              <li key={field}>{sentence}.</li>
            ))}
          </ul>
        )}
      </Notice>
    </>
  );
}
