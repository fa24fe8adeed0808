import type { FieldPath, FieldValues, UseFormGetValues, UseFormSetError } from 'react-hook-form';
import { Problem } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';
import { IdentityError } from '../session/identity/errors.ts';

interface Form<Values extends FieldValues> {
  getValues: UseFormGetValues<Values>;
  setError: UseFormSetError<Values>;
}

/** A sentence per field of a request. */
export type FieldErrors = Readonly<Record<string, string>>;

function isField<Values extends FieldValues>(values: Values, name: string): name is FieldPath<Values> {
  return Object.hasOwn(values, name);
}

/**
 * Shows errors at the form's fields and focuses the first of them.
 * @param fieldOf the form's field for a field of the request, or null; by default the field of the same name
 * @returns whether any was shown
 */
export function showErrors<Values extends FieldValues>(
  form: Form<Values>,
  errors: FieldErrors,
  fieldOf?: (path: string) => FieldPath<Values> | null,
): boolean {
  const values = form.getValues();
  const sameName = (path: string) => (isField(values, path) ? path : null);
  let isShown = false;
  for (const [path, message] of Object.entries(errors)) {
    const field = (fieldOf ?? sameName)(path);
    if (field === null) continue;
    form.setError(field, { message }, { shouldFocus: !isShown });
    isShown = true;
  }
  return isShown;
}

/**
 * Shows the field errors of the shop or of the identity provider at the form's fields.
 * @returns the message to show under the form; null when the errors are shown at fields
 */
export function applyProblem<Values extends FieldValues>(
  form: Form<Values>,
  error: unknown,
  fieldOf?: (path: string) => FieldPath<Values> | null,
): string | null {
  const errors = error instanceof Problem || error instanceof IdentityError ? error.errors : {};
  return showErrors(form, errors, fieldOf) ? null : errorMessage(error);
}
