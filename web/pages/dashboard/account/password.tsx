import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { changePassword } from '#contract/identity/account.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { newPasswordHint, newPasswordRules } from '../../../forms/new-password-rules.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { FormFailure } from '../../../ui/form-failure.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Section } from './section.tsx';
import { useAccountChange } from './use-account.ts';

/** The form to change the password, for accounts with one. */
export function Password({ hasPassword }: { hasPassword: boolean }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { currentPassword: '', password: '' } });
  const { register, handleSubmit, reset, formState } = form;
  const { errors, isSubmitting } = formState;
  const changing = useAccountChange((actions, passwords: { currentPassword: string; password: string }) =>
    actions.call(changePassword, { body: passwords }),
  );
  if (!hasPassword) {
    return (
      <Section title="Password">
        <p className="max-w-prose text-quiet">
          You sign in with Google. To have a password as well, sign out and choose “Forgot your password?” on
          the login page.
        </p>
      </Section>
    );
  }
  const change = handleSubmit(async (passwords) => {
    setFailure(null);
    try {
      await changing.mutateAsync(passwords);
      reset();
      toast.success('Your password was changed. Other devices are signed out.');
    } catch (error) {
      setFailure(applyProblem(form, error));
    }
  });
  return (
    <Section title="Password">
      <form onSubmit={change} noValidate className="flex w-full max-w-md flex-col gap-5">
        <Field label="Present Password" error={errors.currentPassword?.message}>
          <PasswordInput
            autoComplete="current-password"
            {...register('currentPassword', { required: 'Your present password is required' })}
          />
        </Field>
        <Field label="New Password" error={errors.password?.message} hint={newPasswordHint}>
          <PasswordInput autoComplete="new-password" {...register('password', newPasswordRules)} />
        </Field>
        <FormFailure message={failure} />
        <Button type="submit" variant="secondary" className="self-start" busy={isSubmitting && 'Changing'}>
          Change password
        </Button>
      </form>
    </Section>
  );
}
