import type { FieldPath, FieldValues, UseFormGetValues, UseFormSetError } from 'react-hook-form';
import { Problem } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';
import { IdentityError } from '../session/identity/errors.ts';

interface Form<Values extends FieldValues> {
  getValues: UseFormGetValues<Values>;
  setError: UseFormSetError<Values>;
  /** Whether the form has drawn the control of a value, beside which its error is seen. */
  hasControl: (field: string) => boolean;
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
 * @returns the error to show under the form: of a value without a control, or of no field when nothing was shown; else null
 */
export function showErrors<Values extends FieldValues>(
  form: Form<Values>,
  errors: FieldErrors,
  rename = (path: string) => path,
): string | null {
  let isShown = false;
  let unseen: string | null = null;
  for (const [path, message] of Object.entries(errors)) {
    const field = findField(form.getValues(), rename(path));
    if (field === null) continue;
    form.setError(field, { message }, { shouldFocus: !isShown });
    if (form.hasControl(field)) isShown = true;
    else unseen ??= message;
  }
  return unseen ?? (isShown ? null : (Object.values(errors)[0] ?? null));
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
  const isShown = Object.keys(errors).length > 0 && showErrors(form, errors, rename) === null;
  return isShown ? null : errorMessage(error);
}
