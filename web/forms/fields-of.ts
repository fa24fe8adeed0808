import type { ComponentProps } from 'react';
import type { FieldPath, FieldValues, RegisterOptions, UseFormReturn } from 'react-hook-form';
import type { Field } from '../ui/field.tsx';

/** Returns a function that gives a `Field` what it needs of a field of the form: its error, and the attributes of its control. */
export const fieldsOf =
  <Values extends FieldValues>(
    form: Pick<UseFormReturn<Values>, 'register' | 'getFieldState' | 'formState'>,
  ) =>
  <Name extends FieldPath<Values>>(name: Name, rules?: RegisterOptions<Values, Name>) => ({
    error: form.getFieldState(name, form.formState).error?.message,
    control: form.register(name, rules),
  });

/** The same of a part of a form. */
export type FieldOf<Values extends FieldValues> = (
  name: FieldPath<Values>,
) => Pick<ComponentProps<typeof Field>, 'error' | 'control'>;
