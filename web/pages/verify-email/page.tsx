import { useState } from 'react';
import { href } from 'react-router';
import { verifyEmail } from '#contract/identity/account.ts';
import { ChoosePasswordForm } from '../../forms/choose-password-form.tsx';
import { useLinkToken } from '../../forms/use-link-token.ts';
import { CardPage } from '../../layout/card-page.tsx';
import { tokenMeta } from '../../metadata/token-meta.ts';
import { useWrite } from '../../requests/use-write.ts';
import { useShop } from '../../session/session.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { FormFailure } from '../../ui/field.tsx';
import { NeedsScripts } from '../../ui/needs-scripts.tsx';

export const meta = tokenMeta('Confirm your address');

/** Asks for a new password after a confirmation in another browser than the one of the registration. */
function ChoosePasswordStep({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <CardPage title="Choose your password">
      <p role="status">Your email address is confirmed.</p>
      <p>
        The account was registered in another browser. In case that was somebody else, its password, its
        sessions and its second factors no longer work. Everything else in the account is as it was.
      </p>
      <p>Please choose a password now. If you registered yourself, it may be the one you had chosen.</p>
      <ChoosePasswordForm token={token} onDone={onDone} />
      <p className="text-muted">
        You can do this later as well: with “Forgot your password?” on the login page, or by signing in with
        Google.
      </p>
    </CardPage>
  );
}

/** The button confirms, not the visit: mail scanners open links and would use up the token. */
export default function VerifyEmailPage() {
  const token = useLinkToken();
  const shop = useShop();
  // A failure is shown below the button.
  const confirmation = useWrite(verifyEmail, { onError: () => undefined });
  const [isChosen, setIsChosen] = useState(false);
  if (isChosen) {
    return (
      <CardPage title="Your password is set">
        <p role="status">Your address is confirmed. Please log in with the password that you have chosen.</p>
        <LinkButton to={href('/login')}>Go to Login</LinkButton>
      </CardPage>
    );
  }
  if (confirmation.isSuccess) {
    const { passwordToken } = confirmation.data;
    return passwordToken === null ? (
      <CardPage title="Thank you">
        <p role="status">Your email address is confirmed.</p>
        <LinkButton to={href('/')}>Go to Homepage</LinkButton>
      </CardPage>
    ) : (
      <ChoosePasswordStep token={passwordToken} onDone={() => setIsChosen(true)} />
    );
  }
  return (
    <CardPage title="Confirm your address">
      <NeedsScripts />
      {token === null ? (
        <p>
          Please open this page by the link in the email that we have sent you. On your account page you can
          ask for another.
        </p>
      ) : (
        <>
          <p>If you have registered at {shop.name} with this address, please confirm that it is yours.</p>
          <p className="text-muted">
            If you registered in another browser, you choose a new password in the next step.
          </p>
          <Button
            onClick={() => confirmation.mutate({ body: { token: token ?? '' } })}
            disabled={token === undefined}
            busy={confirmation.isPending && 'Confirming'}
          >
            Confirm
          </Button>
        </>
      )}
      <FormFailure message={confirmation.error?.message ?? null} />
      <LinkButton variant="quiet" to={href('/dashboard/account')}>
        Go to your account
      </LinkButton>
    </CardPage>
  );
}
