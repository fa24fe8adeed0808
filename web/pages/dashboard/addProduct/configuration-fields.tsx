import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { configurationFields } from '#contract/catalogue.ts';
import { Field, TextInput } from '../../../ui/field.tsx';
import type { FormValues } from './form-values.ts';

const examples = {
  Processor: 'Intel Core i7-1165G7',
  Graphics: 'Intel Iris Xe',
  Display: '14 inch, 1920 × 1080',
  Memory: '16 GB',
  Storage: '512 GB SSD',
  Battery: '57 Wh, 86 % health',
  Operating: 'Windows 11 Pro',
} as const;

/** The form's props of each section. */
export interface SectionProps {
  register: UseFormRegister<FormValues>;
  errors: FieldErrors<FormValues>;
}

/** The optional configuration of the laptop. */
export function ConfigurationFields({ register, errors }: SectionProps) {
  return (
    <fieldset className="rounded-xl border border-line p-5">
      <legend className="px-2 font-semibold">
        Product Configuration <span className="font-normal text-quiet">(optional)</span>
      </legend>
      <p className="mb-4 text-quiet text-sm">
        Buyers compare laptops by these values. They are shown if the processor is given.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        {configurationFields.map((field) => (
          <Field key={field} label={field} error={errors[field]?.message}>
            <TextInput autoComplete="off" placeholder={examples[field]} {...register(field)} />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
