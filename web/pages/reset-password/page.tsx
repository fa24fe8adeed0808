import { useState } from 'react';
import { href, type Location, useLocation } from 'react-router';
import * as z from 'zod/mini';
import { sendPasswordReset } from '#contract/identity/account.ts';
import { ChoosePasswordForm } from '../../forms/choose-password-form.tsx';
import { RequestForm, useRequestForm } from '../../forms/request-form.tsx';
import { useLinkToken } from '../../forms/use-link-token.ts';
import { CardPage } from '../../layout/card-page.tsx';
import { tokenMeta } from '../../metadata/token-meta.ts';
import { useSessionStore } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmailInput, Field } from '../../ui/field.tsx';
import { NeedsScripts } from '../../ui/needs-scripts.tsx';
import { ActionLink } from '../../ui/text-link.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';

export const meta = tokenMeta('New password');

const Typed = z.object({ email: z.string() });

/** Requests an email with a reset link. The message is the same for unknown addresses. */
function RequestResetLink() {
  const store = useSessionStore();
  const hydrated = useHydrated();
  const [sentTo, setSentTo] = useState<string | null>(null);
  // What was typed on the login page.
  const { state }: Location<unknown> = useLocation();
  const typed = z.safeParse(Typed, state).data;
  const form = useRequestForm<{ email: string }>(async ({ email }) => {
    await store.run(({ account }) => account.call(sendPasswordReset, { body: { email: email.trim() } }));
    setSentTo(email.trim());
  }, typed && { defaultValues: typed });
  if (sentTo !== null) {
    return (
      <p role="status">
        If there is an account for <strong>{sentTo}</strong>, an email with a link is on its way. The link
        works once, within an hour; links sent in the past hour still work too. If no email arrives, please
        check your spam folder.
      </p>
    );
  }
  return (
    <RequestForm form={form} method="post" submit="Send the link" busy="Sending" disabled={!hydrated}>
      <p className="text-muted">
        Tell us your email address, and we send you a link to choose a new password.
      </p>
      <Field label="Email" {...form.field('email', { required: 'Email Address is required' })}>
        <EmailInput />
      </Field>
    </RequestForm>
  );
}

export default function ResetPasswordPage() {
  const token = useLinkToken();
  const [isDone, setIsDone] = useState(false);
  if (isDone) {
    return (
      <CardPage title="Your password was changed">
        <p role="status">You have been signed out everywhere. Please log in with the new password.</p>
        <LinkButton to={href('/login')}>Go to Login</LinkButton>
      </CardPage>
    );
  }
  return (
    <CardPage title={token ? 'Choose a new password' : 'Forgot your password?'}>
      <NeedsScripts />
      {token ? <ChoosePasswordForm token={token} onDone={() => setIsDone(true)} /> : <RequestResetLink />}
      <ActionLink to={href('/login')}>Back to Login</ActionLink>
    </CardPage>
  );
}
