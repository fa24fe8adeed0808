import { changePassword } from '#contract/identity/account.ts';
import { newPasswordHint, newPasswordRules } from '../../../forms/new-password-rules.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useAccountChange } from './use-account.ts';

interface Passwords {
  currentPassword: string;
  password: string;
}

/** The form to change the password, for accounts with one. */
export function Password({ hasPassword }: { hasPassword: boolean }) {
  const changing = useAccountChange((actions, body: Passwords) => actions.call(changePassword, { body }));
  const form = useRequestForm<Passwords>(changing.mutateAsync, {
    defaultValues: { currentPassword: '', password: '' },
    onClose: () => {
      form.reset();
      toast.success('Your password was changed. Other devices are signed out.');
    },
  });
  if (!hasPassword) {
    return (
      <CardSection title="Password">
        <p className="max-w-prose text-muted">
          You sign in with Google. To have a password as well, sign out and choose “Forgot your password?” on
          the login page.
        </p>
      </CardSection>
    );
  }
  return (
    <CardSection title="Password">
      <RequestForm
        form={form}
        submit="Change password"
        busy="Changing"
        variant="secondary"
        buttonClass="self-start"
        className="flex w-full max-w-md flex-col gap-5"
      >
        <Field
          label="Present Password"
          {...form.field('currentPassword', { required: 'Your present password is required' })}
        >
          <PasswordInput autoComplete="current-password" />
        </Field>
        <Field label="New Password" {...form.field('password', newPasswordRules)} hint={newPasswordHint}>
          <PasswordInput autoComplete="new-password" />
        </Field>
      </RequestForm>
    </CardSection>
  );
}
