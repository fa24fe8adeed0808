import { useState } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import { applyProblem } from './apply-problem.ts';

/**
 * A form whose submission sends a request. A failure is shown at the fields that it names, else under the form.
 * @param send sends the valid values; may throw
 * @param defaultValues left out where the user may type before hydration: react-hook-form would overwrite that
 * @returns `failure`: the message to show under the form, or null; `reset`: clears the values and all messages
 */
export function useRequestForm<Values extends FieldValues>(
  send: (values: Values) => Promise<void>,
  defaultValues?: DefaultValues<Values>,
) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>(defaultValues && { defaultValues });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      setFailure(applyProblem(form, error));
    }
  });
  const reset = () => {
    setFailure(null);
    form.reset();
  };
  const { register, setFocus } = form;
  return { register, setFocus, errors, isSubmitting, submit, failure, reset };
}
