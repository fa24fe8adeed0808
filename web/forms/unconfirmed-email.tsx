import type { ReactNode } from 'react';
import { readAccount, sendVerification } from '#contract/identity/account.ts';
import { displayedEmail } from '../formats/displayed-email.ts';
import { useRead } from '../requests/reads.ts';
import { Notice } from '../ui/notice.tsx';
import { WriteButton } from './write-button.tsx';

/** The person's email address while it can be confirmed and is not; null otherwise, and until it is known. */
export function useUnconfirmedEmail(): string | null {
  const { data } = useRead(readAccount, {});
  return data === undefined || data.emailVerified || !data.sendsMail ? null : data.email;
}

/** The button that sends the email with the link once more. */
export const SendVerificationButton = ({ email }: { email: string }) => (
  <WriteButton
    endpoint={sendVerification}
    input={{}}
    done={`An email is on its way to ${displayedEmail(email)}.`}
    busy="Sending"
  >
    Send the email again
  </WriteButton>
);

interface UnconfirmedEmailProps {
  email: string;
  /** What waits for the confirmation. */
  children: ReactNode;
}

/** Says what an address that is not confirmed prevents, and sends the email once more. */
export const UnconfirmedEmail = ({ email, children }: UnconfirmedEmailProps) => (
  <Notice tone="info" className="flex flex-col items-start gap-3">
    <p className="max-w-prose wrap-anywhere">
      {children} Open the link in the email that we sent to {displayedEmail(email)}.
    </p>
    <SendVerificationButton email={email} />
  </Notice>
);
