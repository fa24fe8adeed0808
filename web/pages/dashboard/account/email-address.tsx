import { type Account, sendVerification } from '#contract/identity/account.ts';
import { displayedEmail } from '../../../formats/displayed-email.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { useAccountChange, withToast } from './use-account.ts';

/** The email address and its verification. */
export function EmailAddressSection({ account: { email, emailVerified, sendsMail } }: { account: Account }) {
  const sending = useAccountChange((actions, _: undefined) => actions.call(sendVerification, {}));
  const send = () =>
    withToast(sending.mutateAsync(undefined), () => `An email is on its way to ${displayedEmail(email)}.`);
  return (
    <CardSection title="Email address">
      <p className="flex flex-wrap items-center gap-3">
        <span className="break-all">{displayedEmail(email)}</span>
        <Badge tone={emailVerified ? 'good' : 'warm'}>{emailVerified ? 'Confirmed' : 'Not confirmed'}</Badge>
      </p>
      {!emailVerified && sendsMail && (
        <>
          <p className="max-w-prose text-muted">
            We sent you an email with a link when you registered. Open the link to confirm that this address
            is yours.
          </p>
          <Button variant="secondary" size="small" onClick={send} busy={sending.isPending && 'Sending'}>
            Send the email again
          </Button>
        </>
      )}
    </CardSection>
  );
}
