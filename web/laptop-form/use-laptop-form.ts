import { useFormContext } from 'react-hook-form';
import { fieldsOf } from '../forms/fields-of.ts';
import type { FormValues } from './form-values.ts';

/** The form around a component. `field`: gives a `Field` its error and the attributes of its control. */
export function useLaptopForm() {
  const form = useFormContext<FormValues>();
  return { control: form.control, field: fieldsOf(form) };
}
