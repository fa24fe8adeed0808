import { type ComponentProps, type ComponentType, type ReactNode, useId } from 'react';
import { type FieldPath, type UseFormRegisterReturn, useFormContext } from 'react-hook-form';
import { Field, TextInput } from '../../../ui/field.tsx';
import type { FormValues } from './form-values.ts';

type InputProps = Pick<ComponentProps<'input'>, 'autoComplete' | 'inputMode' | 'spellCheck' | 'type'>;

interface SettingProps extends InputProps, Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'optional'> {
  name: FieldPath<FormValues>;
  /** The control, if not an input for text. */
  as?: ComponentType<InputProps & UseFormRegisterReturn & { children?: ReactNode }>;
  /** The options of a select. */
  children?: ReactNode;
  /** Reads what is typed. Left out: it stays a text. */
  read?: (typed: string) => unknown;
}

/** @returns not a number for a text that is none, which the contract refuses */
export const readNumber = (typed: string | null) =>
  typed === null || `${typed}`.trim() === '' ? Number.NaN : Number(typed);

/** What is typed, or null for nothing. @param read of a text */
export const orNull = (typed: string | null, read: (text: string) => unknown = String) =>
  typed === null || `${typed}`.trim() === '' ? null : read(typed);

/** The field of a number that can be missing. */
export const optionalNumber = {
  optional: true,
  inputMode: 'numeric',
  read: (typed: string) => orNull(typed, readNumber),
} as const;

/** The field of one setting, by its name in the contract. The form is in the context. */
export function Setting(props: SettingProps) {
  const { name, label, hint, optional = false, as: Control = TextInput, read, ...input } = props;
  const { register, getFieldState } = useFormContext<FormValues>();
  return (
    <Field label={label} hint={hint} optional={optional} error={getFieldState(name).error?.message}>
      <Control autoComplete="off" {...input} {...register(name, read && { setValueAs: read })} />
    </Field>
  );
}

/** A field for a time zone that suggests those that this browser knows. */
export function TimeZoneInput(props: ComponentProps<typeof TextInput>) {
  const id = useId();
  return (
    <>
      <TextInput list={id} spellCheck={false} {...props} />
      <datalist id={id}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
