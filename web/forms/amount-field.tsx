import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { centsFromText, currency, exampleAmount, formatCents } from '#contract/platform/money.ts';
import { AmountInput, Field } from '../ui/field.tsx';
import { readAmount, writeAmount } from './typed-amount.ts';

/** An amount as it was understood; undefined when it is written so already, or is none. */
function understoodAmount(typed: string): string | undefined {
  if (/^\d*(\.\d{1,2})?$/.test(typed.trim())) return undefined;
  const cents = centsFromText(readAmount(typed) ?? '');
  return cents === null ? undefined : formatCents(cents);
}

interface AmountFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPathByValue<Values, string>;
  label: string;
  hint?: string;
  className?: string;
  readOnly?: boolean;
  required?: boolean;
  /** Checks the typed text. @returns a sentence, or null */
  validate?: (typed: string) => string | null;
}

/**
 * A field for an amount, as its person writes amounts. It shows what it has understood below what is typed. The value of the form is the
 * typed text; `amountOrText` makes the amount of a request from it.
 */
export function AmountField<Values extends FieldValues>(props: AmountFieldProps<Values>) {
  const { control, name, label, hint, className, validate, ...attributes } = props;
  const { field, fieldState } = useController({
    control,
    name,
    rules: { validate: (typed: string) => validate?.(typed) ?? true },
  });
  // The contract's sentences show an example, which is to be typed as the browser's language has it.
  const error = fieldState.error?.message?.replace(exampleAmount(), writeAmount(exampleAmount()));
  return (
    <Field label={label} error={error} hint={hint} className={className ?? ''}>
      <AmountInput
        sign={currency.sign}
        {...attributes}
        {...field}
        understood={understoodAmount(field.value)}
      />
    </Field>
  );
}
