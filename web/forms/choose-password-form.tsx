import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSessionStore } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { applyProblem } from './apply-problem.ts';
import { newPasswordHint, newPasswordRules } from './new-password-rules.ts';

/**
 * The form for a new password.
 * @param props.token from an emailed link of the identity provider
 */
export function ChoosePasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const store = useSessionStore();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<{ password: string }>();
  const { register, handleSubmit, formState } = form;
  const choose = handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      await store.run(({ account }) => account.resetPassword(token, password));
      onDone();
    } catch (error) {
      setFailure(applyProblem(form, error));
    }
  });
  return (
    <form method="post" onSubmit={choose} noValidate className="flex flex-col gap-5">
      <Field label="New Password" error={formState.errors.password?.message} hint={newPasswordHint}>
        <PasswordInput autoComplete="new-password" {...register('password', newPasswordRules)} />
      </Field>
      <Button type="submit" busy={formState.isSubmitting && 'Saving'}>
        Save the new password
      </Button>
      <FormFailure message={failure} />
    </form>
  );
}
