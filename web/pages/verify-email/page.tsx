import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { linkTo } from '../../links.ts';
import { FormFailure } from '../../session/entering.tsx';
import { useSessionActions } from '../../session/session.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { CardPage } from '../card-page.tsx';
import { useLinkToken } from '../link-token.ts';

export const meta: MetaFunction = () => [
  { title: 'Confirm your address · Coomercio' },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

/** A press confirms, not the visit: programs that look at links in mails before people do must not use them up. */
export default function VerifyEmailPage() {
  const token = useLinkToken();
  const store = useSessionActions();
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking');
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setState('busy');
    setFailure(null);
    try {
      await (await store.identity()).account.verifyEmail(token ?? '');
      setState('done');
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Something went wrong. Please try again.');
      setState('asking');
    }
  };
  if (state === 'done') {
    return (
      <CardPage title="Thank you">
        <p role="status">Your e-mail address is confirmed.</p>
        <LinkButton to={linkTo('home')}>Go to Homepage</LinkButton>
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
          <Button onClick={confirm} disabled={token === undefined} busy={state === 'busy' && 'Confirming'}>
            Confirm
          </Button>
        </>
      )}
      <FormFailure message={failure} />
      <LinkButton look="quiet" to={linkTo('account')}>
        Go to your account
      </LinkButton>
    </CardPage>
  );
}
