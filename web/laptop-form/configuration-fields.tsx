import { useId, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { configurationFields } from '#contract/listings/catalogue.ts';
import { type FactField, factChoices } from '#contract/listings/facts.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { factHint } from './fact-hint.ts';
import { MeasuredNote, MeasuredSummary } from './measured-notes.tsx';
import { useLaptopForm } from './use-laptop-form.ts';
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
  name: FactField;
  /** Called on blur. @param hint undefined for an empty field */
  onLeave: (name: FactField, hint: string | undefined) => void;
  measured: MeasuredValues | null;
}

/** A text input with choices, which shows what buyers can filter by. */
function FactInput({ name, onLeave, measured }: FactInputProps) {
  const listId = useId();
  const { control, field } = useLaptopForm();
  const typed = useWatch({ control, name });
  const hint = factHint(name, typed);
  return (
    <div>
      <Field label={name} {...field(name, { onBlur: () => onLeave(name, hint) })} hint={hint}>
        <TextInput list={listId} autoComplete="off" placeholder={examples[name]} />
        <datalist id={listId}>
          {factChoices[name].map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      </Field>
      <MeasuredNote field={name} typed={typed} measured={measured} />
    </div>
  );
}

/** The optional configuration of the laptop. */
export function ConfigurationFields({ measured }: Pick<FactInputProps, 'measured'>) {
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
        {configurationFields.map((name) => (
          <FactInput key={name} name={name} onLeave={announce} measured={measured} />
        ))}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  );
}
