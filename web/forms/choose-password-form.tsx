import { resetPassword } from '#contract/identity/account.ts';
import { useApi } from '../session/session.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { newPasswordHint, newPasswordRules } from './new-password-rules.ts';
import { RequestForm, useRequestForm } from './request-form.tsx';

/**
 * The form for a new password.
 * @param props.token from an emailed link of the identity provider
 */
export function ChoosePasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const api = useApi();
  const form = useRequestForm<{ password: string }>(async ({ password }) => {
    await api.call(resetPassword, { body: { token, password } });
    onDone();
  });
  return (
    <RequestForm form={form} method="post" submit="Save the new password" busy="Saving">
      <Field label="New Password" {...form.field('password', newPasswordRules)} hint={newPasswordHint}>
        <PasswordInput autoComplete="new-password" />
      </Field>
    </RequestForm>
  );
}
