import type { FieldPath, FieldValues, UseFormGetValues, UseFormSetError } from 'react-hook-form';
import { Problem } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';

interface Form<Values extends FieldValues> {
  getValues: UseFormGetValues<Values>;
  setError: UseFormSetError<Values>;
}

function isField<Values extends FieldValues>(values: Values, name: string): name is FieldPath<Values> {
  return Object.hasOwn(values, name);
}

/**
 * Shows the field errors of a problem document at the form's fields and focuses the first of them.
 * @param fieldOf the form's field for a field of the request, or null; by default the field of the same name
 * @returns the message to show under the form; null when the errors are shown at fields
 */
export function applyProblem<Values extends FieldValues>(
  form: Form<Values>,
  error: unknown,
  fieldOf?: (path: string) => FieldPath<Values> | null,
): string | null {
  const values = form.getValues();
  const sameName = (path: string) => (isField(values, path) ? path : null);
  let isApplied = false;
  for (const [path, message] of Object.entries(error instanceof Problem ? error.errors : {})) {
    const field = (fieldOf ?? sameName)(path);
    if (field === null) continue;
    form.setError(field, { message }, { shouldFocus: !isApplied });
    isApplied = true;
  }
  return isApplied ? null : errorMessage(error);
}
