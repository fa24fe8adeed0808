import { useId, useRef, useState } from 'react';
import { type Control, type FieldErrors, type UseFormRegister, useWatch } from 'react-hook-form';
import { configurationFields } from '#contract/listings/catalogue.ts';
import { type FactField, factChoices } from '#contract/listings/facts.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { factHint } from './fact-hint.ts';
import type { FormValues } from './form-values.ts';
import { MeasuredNote, MeasuredSummary } from './measured-notes.tsx';
import type { MeasuredValues } from './use-measured-values.ts';

const examples = {
  Processor: 'Intel Core i7-1165G7',
  Graphics: 'Intel Iris Xe',
  Display: '14″, 1920 × 1080',
  Memory: '16 GB',
  Storage: '512 GB SSD',
  Battery: '57 Wh, 86 % health',
  Operating: 'Windows 11 Pro',
} as const;

interface FactInputProps {
  field: FactField;
  register: UseFormRegister<FormValues>;
  control: Control<FormValues>;
  error: string | undefined;
  /** Called on blur. @param hint undefined for an empty field */
  onLeave: (field: FactField, hint: string | undefined) => void;
  measured: MeasuredValues | null;
}

/** A text input with choices, which shows what buyers can filter by. */
function FactInput({ field, register, control, error, onLeave, measured }: FactInputProps) {
  const listId = useId();
  const typed = useWatch({ control, name: field });
  const hint = factHint(field, typed);
  return (
    <div>
      <Field label={field} error={error} hint={hint}>
        <TextInput
          list={listId}
          autoComplete="off"
          placeholder={examples[field]}
          {...register(field, { onBlur: () => onLeave(field, hint) })}
        />
        <datalist id={listId}>
          {factChoices[field].map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      </Field>
      <MeasuredNote field={field} typed={typed} measured={measured} />
    </div>
  );
}

interface ConfigurationFieldsProps {
  register: UseFormRegister<FormValues>;
  control: Control<FormValues>;
  errors: FieldErrors<FormValues>;
  measured: MeasuredValues | null;
}

/** The optional configuration of the laptop. */
export function ConfigurationFields({ register, control, errors, measured }: ConfigurationFieldsProps) {
  const announced = useRef(new Map<FactField, string | undefined>());
  const [announcement, setAnnouncement] = useState('');

  /** Announces a hint once, until it changes. */
  function announce(field: FactField, hint: string | undefined) {
    if (announced.current.get(field) === hint) return;
    announced.current.set(field, hint);
    setAnnouncement(hint === undefined ? '' : `${field}: ${hint}`);
  }

  return (
    <fieldset className="min-w-0 rounded-xl border border-border p-5">
      <legend className="px-2 font-semibold">
        Product Configuration <span className="font-normal text-muted">(optional)</span>
      </legend>
      <p className="mb-4 text-muted text-sm">
        Buyers compare laptops by these. Shown once you enter a processor. Choose a value or type your own.
      </p>
      <MeasuredSummary measured={measured} />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        {configurationFields.map((field) => (
          <FactInput
            key={field}
            field={field}
            register={register}
            control={control}
            error={errors[field]?.message}
            onLeave={announce}
            measured={measured}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  );
}
