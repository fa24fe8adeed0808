import { useFormContext } from 'react-hook-form';
import { fieldsOf } from '../forms/fields-of.ts';
import type { FormValues } from './form-values.ts';

/** The form of a laptop, for its parts. */
export function useLaptopForm() {
  const form = useFormContext<FormValues>();
  return { ...form, field: fieldsOf(form) };
}
