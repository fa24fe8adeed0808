import { changePassword } from '#contract/identity/account.ts';
import { newPasswordHint } from '../../../forms/new-password-rules.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { CardSection } from '../../../ui/section.tsx';

const empty = { currentPassword: '', password: '' };

/** The form to change the password, for accounts with one. */
export function Password({ hasPassword }: { hasPassword: boolean }) {
  const form = useWriteForm(changePassword, {
    defaultValues: empty,
    input: (body: typeof empty) => ({ body }),
    done: 'Your password was changed. Other devices are signed out.',
    onClose: () => {
      form.reset();
    },
  });
  if (!hasPassword) {
    return (
      <CardSection
        title="Password"
        hint="You sign in with Google. To have a password as well, sign out and choose “Forgot your password?” on the login page."
      />
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
        <Field label="Present Password" {...form.field('currentPassword')}>
          <PasswordInput autoComplete="current-password" />
        </Field>
        <Field label="New Password" {...form.field('password')} hint={newPasswordHint}>
          <PasswordInput autoComplete="new-password" />
        </Field>
      </RequestForm>
    </CardSection>
  );
}
