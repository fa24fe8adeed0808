import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { ChoosePassword } from '../../forms/choose-password-form.tsx';
import { useLinkToken } from '../../forms/use-link-token.ts';
import { CardPage } from '../../layout/card-page.tsx';
import { linkTo } from '../../links.ts';
import { errorMessage } from '../../requests/error-message.ts';
import { useSessionStore } from '../../session/session.tsx';
import { FormFailure } from '../../session/sign-in.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';

export const meta: MetaFunction = () => [
  { title: 'Confirm your address · Coomercio' },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

type State =
  | { step: 'asking'; isBusy: boolean; failure: string | null }
  | { step: 'confirmed' }
  | { step: 'choosing'; passwordToken: string }
  | { step: 'chosen' };

/** For somebody who did not register in this browser: what was removed, and the way to a password. */
function ChooseAfterRemoval({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <CardPage title="Choose your password">
      <p role="status">Your e-mail address is confirmed.</p>
      <p>
        The account was registered in another browser. In case that was somebody else, its password, its
        sign-ins and its second steps no longer work. Everything else in the account is as it was.
      </p>
      <p>Please choose a password now. If you registered yourself, it may be the one you had chosen.</p>
      <ChoosePassword token={token} onDone={onDone} />
      <p className="text-quiet">
        You can do this later as well: with “Forgot your password?” on the login page, or by signing in with
        Google.
      </p>
    </CardPage>
  );
}

/** A press confirms, not the visit: programs that look at links in mails before people do must not use them up. */
export default function VerifyEmailPage() {
  const token = useLinkToken();
  const store = useSessionStore();
  const [state, setState] = useState<State>({ step: 'asking', isBusy: false, failure: null });
  const confirm = async () => {
    setState({ step: 'asking', isBusy: true, failure: null });
    try {
      const passwordToken = await store.run(({ account }) => account.verifyEmail(token ?? ''));
      setState(passwordToken === null ? { step: 'confirmed' } : { step: 'choosing', passwordToken });
    } catch (error) {
      setState({ step: 'asking', isBusy: false, failure: errorMessage(error) });
    }
  };
  if (state.step === 'confirmed') {
    return (
      <CardPage title="Thank you">
        <p role="status">Your e-mail address is confirmed.</p>
        <LinkButton to={linkTo('home')}>Go to Homepage</LinkButton>
      </CardPage>
    );
  }
  if (state.step === 'choosing') {
    return <ChooseAfterRemoval token={state.passwordToken} onDone={() => setState({ step: 'chosen' })} />;
  }
  if (state.step === 'chosen') {
    return (
      <CardPage title="Your password is set">
        <p role="status">Your address is confirmed. Please log in with the password that you have chosen.</p>
        <LinkButton to={linkTo('login')}>Go to Login</LinkButton>
      </CardPage>
    );
  }
  return (
    <CardPage title="Confirm your address">
      {token === null ? (
        <p>
          Please open this page by the link in the letter that we have sent you. On your account page you can
          ask for another.
        </p>
      ) : (
        <>
          <p>If you have registered at Coomercio with this address, please confirm that it is yours.</p>
          <p className="text-quiet">
            In another browser than the one you registered in, you choose your password anew after this.
          </p>
          <Button onClick={confirm} disabled={token === undefined} busy={state.isBusy && 'Confirming'}>
            Confirm
          </Button>
        </>
      )}
      <FormFailure message={state.failure} />
      <LinkButton look="quiet" to={linkTo('account')}>
        Go to your account
      </LinkButton>
    </CardPage>
  );
}
