import { type FormEvent, useState } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import { errorMessage } from '../requests/error-message.ts';
import { useSessionStore } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';
import { applyProblem, type FieldErrors, showErrors } from './apply-problem.ts';
import type { FormDraft } from './draft.ts';
import { fieldsOf } from './fields-of.ts';

export interface RequestFormOptions<Values extends FieldValues> {
  /** Left out where the user may type before hydration: react-hook-form would overwrite that. */
  defaultValues?: DefaultValues<Values>;
  /** Keeps what is typed. */
  draft?: FormDraft<Values>;
  /** Checks the values before they are sent. @returns sentences by the fields of the request */
  check?: (values: Values) => FieldErrors;
  /** Replaces the name of a field of the request that the form calls otherwise. */
  rename?: (path: string) => string;
  /** Begins the toast of a failure that arrives after the form is gone: 'The report was not sent'. */
  failed?: string;
  /** Whether a failure makes the form useless: it is shown in a toast, and the form closed. */
  closesOn?: (error: unknown) => boolean;
  /** Called when the form is done, or useless, unless it is gone. */
  onClose?: (isDone: boolean) => unknown;
}

export type RequestForm<Values extends FieldValues> = ReturnType<typeof useRequestForm<Values>>;

/**
 * A form whose submission sends a request. A failure is shown at the fields that it names, else under the form, else in a toast when
 * the form is gone by then. Nothing typed is lost.
 * @param send sends the valid values; may throw. @returns false when the shop did not do it, which has been shown
 */
export function useRequestForm<Values extends FieldValues>(
  send: (values: Values) => Promise<unknown>,
  options: RequestFormOptions<Values> = {},
) {
  const { draft, check, rename, failed, closesOn, onClose } = options;
  const store = useSessionStore();
  const isMounted = useMounted();
  const [failure, setFailure] = useState<string | null>(null);
  const [initial] = useState(() => draft?.read() ?? options.defaultValues);
  const form = useForm<Values>(initial && { defaultValues: initial });
  const { errors, isSubmitting } = form.formState;

  async function fail(error: unknown) {
    if (!isMounted()) {
      // After the end of a session the login page gives the reason.
      if (store.read().status !== 'signed-in') return;
      toast.error(failed === undefined ? errorMessage(error) : `${failed}: ${errorMessage(error)}`);
      return;
    }
    if (closesOn?.(error)) {
      toast.error(errorMessage(error));
      await onClose?.(false);
    } else setFailure(applyProblem(form, error, rename));
  }

  const checkAndSend = form.handleSubmit(async (values) => {
    setFailure(null);
    const invalid = check?.(values) ?? {};
    const [first] = Object.values(invalid);
    if (first !== undefined) return setFailure(showErrors(form, invalid, rename) ? null : first);
    let isDone: boolean;
    try {
      isDone = (await send(values)) !== false;
    } catch (error) {
      return fail(error);
    }
    draft?.discard();
    if (isMounted()) await onClose?.(isDone);
  });

  const submit = (event?: FormEvent<HTMLFormElement>) => {
    // An error at a field without a registered control would end each later submission.
    form.clearErrors();
    return checkAndSend(event);
  };

  const props = {
    noValidate: true,
    onSubmit: (event: FormEvent<HTMLFormElement>): void => void submit(event),
    ...(draft !== undefined && { onChange: () => draft.save(form.getValues()) }),
  };
  const reset: typeof form.reset = (...given) => {
    setFailure(null);
    form.reset(...given);
  };
  return { ...form, field: fieldsOf(form), errors, isSubmitting, props, submit, failure, setFailure, reset };
}
