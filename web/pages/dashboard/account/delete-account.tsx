import type { Account } from '#contract/identity/account.ts';
import { normalizeEmail } from '#contract/platform/scalars.ts';
import { displayedEmail } from '../../../formats/displayed-email.ts';
import { FormDialog, useRequestForm } from '../../../forms/request-form.tsx';
import { useSessionStore } from '../../../session/session.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { EmailInput, Field, PasswordInput } from '../../../ui/field.tsx';
import { CardSection } from '../../../ui/section.tsx';

/** What is deleted and what is kept. */
function Consequences() {
  return (
    <>
      <p>
        <strong className="text-foreground">Deleted immediately:</strong> your sign-in, name, email address,
        telephone numbers, meeting places and wishlist. Your unsold laptops and their photos leave the shop;
        your unpaid bookings are cancelled.
      </p>
      <p className="mt-2">
        <strong className="text-foreground">Kept for bookkeeping:</strong> the amount, day and laptop of each
        payment and refund, with your name and email address as one of its parties, as the law requires. These
        records are stored separately, and no page shows them. The text of reports is kept without your name.
      </p>
    </>
  );
}

/** Deletes the account after its email address and its password, if it has one, are typed. */
export function DeleteAccount({ account }: { account: Account }) {
  const store = useSessionStore();
  const form = useRequestForm(
    async ({ email, password }: { email: string; password: string }) => {
      const confirmed = account.hasPassword ? password : undefined;
      await store.run((actions) => actions.deleteAccount(email, confirmed));
    },
    { defaultValues: { email: '', password: '' }, dropsTyped: true },
  );
  const isOwn = (typed: string) =>
    normalizeEmail(typed) === account.email || 'This is not the email address of your account';
  return (
    <CardSection
      title="Delete your account"
      hint="You are signed out everywhere, and nobody can bring the account back. You may want to download your data first."
    >
      <SmallButton variant="danger" onClick={form.dialog.open}>
        Delete my account
      </SmallButton>
      <FormDialog
        form={form}
        title="Delete your account?"
        description={<Consequences />}
        submit="Delete my account"
        busy="Deleting"
        variant="danger"
        cancel="Keep my account"
      >
        <Field
          label="Your Email"
          {...form.field('email', { required: 'Your email address is required', validate: isOwn })}
          hint={<span className="wrap-anywhere">Type {displayedEmail(account.email)} once more.</span>}
        >
          <EmailInput autoComplete="off" />
        </Field>
        {account.hasPassword ? (
          <Field label="Your Password" {...form.field('password', { required: 'Your password is required' })}>
            <PasswordInput autoComplete="current-password" />
          </Field>
        ) : (
          <p className="text-muted text-sm">
            You sign in with Google. If that was more than ten minutes ago, please sign out and in again
            first.
          </p>
        )}
      </FormDialog>
    </CardSection>
  );
}
