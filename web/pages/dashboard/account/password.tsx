import { changePassword } from '#contract/identity/account.ts';
import { newPasswordHint, newPasswordRules } from '../../../forms/new-password-rules.ts';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, PasswordInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Section } from './section.tsx';
import { useAccountChange } from './use-account.ts';

interface Passwords {
  currentPassword: string;
  password: string;
}

/** The form to change the password, for accounts with one. */
export function Password({ hasPassword }: { hasPassword: boolean }) {
  const changing = useAccountChange((actions, body: Passwords) => actions.call(changePassword, { body }));
  const { register, submit, errors, isSubmitting, failure, reset } = useRequestForm<Passwords>(
    async (passwords) => {
      await changing.mutateAsync(passwords);
      reset();
      toast.success('Your password was changed. Other devices are signed out.');
    },
    { currentPassword: '', password: '' },
  );
  if (!hasPassword) {
    return (
      <Section title="Password">
        <p className="max-w-prose text-muted">
          You sign in with Google. To have a password as well, sign out and choose “Forgot your password?” on
          the login page.
        </p>
      </Section>
    );
  }
  return (
    <Section title="Password">
      <form onSubmit={submit} noValidate className="flex w-full max-w-md flex-col gap-5">
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
