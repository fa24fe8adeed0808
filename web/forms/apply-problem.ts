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

function isField<Values extends FieldValues>(values: Values, path: string): path is FieldPath<Values> {
  let part: unknown = values;
  for (const name of path.split('.')) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return false;
    part = Reflect.get(part, name);
  }
  return true;
}

/** The form's field for a field of the request: `line1` for `address.line1`, `footer` for `settings.footer.0.title`. */
function findField<Values extends FieldValues>(values: Values, path: string): FieldPath<Values> | null {
  const names = path.split('.');
  for (let end = names.length; end > 0; end -= 1) {
    for (let start = 0; start < end; start += 1) {
      const field = names.slice(start, end).join('.');
      if (isField(values, field)) return field;
    }
  }
  return null;
}

/**
 * Shows errors at the form's fields and focuses the first of them.
 * @param rename replaces the name of a field of the request that the form calls otherwise
 * @returns whether any was shown
 */
export function showErrors<Values extends FieldValues>(
  form: Form<Values>,
  errors: FieldErrors,
  rename = (path: string) => path,
): boolean {
  let isShown = false;
  for (const [path, message] of Object.entries(errors)) {
    const field = findField(form.getValues(), rename(path));
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
  rename?: (path: string) => string,
): string | null {
  const errors = error instanceof Problem || error instanceof IdentityError ? error.errors : {};
  return showErrors(form, errors, rename) ? null : errorMessage(error);
}
