import { type ReactNode, useEffect, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { acceptInvitation, type Invitation, readInvitation } from '#contract/operations/staff.ts';
import { describeRights } from '#contract/platform/staff-rights.ts';
import { useLinkToken } from '../../forms/use-link-token.ts';
import { CardPage } from '../../layout/card-page.tsx';
import { tokenMeta } from '../../metadata/token-meta.ts';
import { errorMessage } from '../../requests/error-message.ts';
import { useWrite } from '../../requests/use-write.ts';
import { useApi, useSession, useSessionStore, useShop } from '../../session/session.tsx';
import { Button, LinkButton, SecondaryButton, SecondaryLink } from '../../ui/button.tsx';
import { FormFailure } from '../../ui/field.tsx';
import { NeedsScripts } from '../../ui/needs-scripts.tsx';
import { ActionLink } from '../../ui/text-link.tsx';
import { toast } from '../../ui/toast.tsx';

export const meta = tokenMeta('Invitation');

/** Accepts for the signed-in person. */
function Accept({ token }: { token: string }) {
  const shop = useShop();
  const navigate = useNavigate();
  const acceptance = useWrite(acceptInvitation, {
    onSuccess: () => {
      toast.success(`You work for ${shop.name} now.`);
      return navigate(href('/dashboard'));
    },
    // A failure is shown below the button.
    onError: () => undefined,
  });
  return (
    <>
      <Button
        onClick={() => acceptance.mutate({ body: { token } })}
        busy={acceptance.isPending && 'Accepting'}
      >
        Accept
      </Button>
      <FormFailure message={acceptance.error && errorMessage(acceptance.error)} />
      {acceptance.isError && <ActionLink to={href('/dashboard/account')}>Your account page</ActionLink>}
    </>
  );
}

/** What an invited person does next: signs in with the address, or accepts. */
function NextStep({ token, email }: { token: string; email: string }) {
  const session = useSession();
  const { signOut } = useSessionStore();
  if (session.status === 'loading') return <p role="status">Looking at who is signed in…</p>;
  if (session.status !== 'signed-in') {
    // The fragment is no longer in the URL, but has to be there after the sign-in.
    const state = { from: `${href('/invitation')}#${token}` };
    return (
      <>
        <p>Please log in with that address, or register with it. Then this page comes back.</p>
        <LinkButton to={href('/login')} state={state}>
          Log in
        </LinkButton>
        <LinkButton variant="secondary" to={href('/register')} state={state}>
          Register
        </LinkButton>
      </>
    );
  }
  if (session.person.email !== email) {
    return (
      <>
        <p className="wrap-anywhere">
          You are signed in as <strong>{session.person.email}</strong>. Please sign out, and open the link of
          the email again.
        </p>
        <SecondaryButton onClick={signOut}>Sign out</SecondaryButton>
      </>
    );
  }
  return <Accept token={token} />;
}

const ended: Readonly<Record<Exclude<Invitation['state'], 'valid'>, ReactNode>> = {
  accepted: 'This invitation was accepted already. Log in with the account that accepted it.',
  expired: 'This invitation has expired. Ask an owner of the shop to invite you again.',
  withdrawn: 'This invitation was withdrawn. Ask an owner of the shop, if you think that is a mistake.',
};

function Message({ children }: { children: ReactNode }) {
  return (
    <>
      <p role="status">{children}</p>
      <SecondaryLink to={href('/dashboard')}>Go to your dashboard</SecondaryLink>
    </>
  );
}

/** What the link offers. */
function Offer({ token }: { token: string }) {
  const api = useApi();
  const shop = useShop();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    api.call(readInvitation, { body: { token }, signal: controller.signal }).then(setInvitation, (error) => {
      if (!controller.signal.aborted) setFailure(errorMessage(error));
    });
    return () => controller.abort();
  }, [api, token]);
  if (failure !== null) return <Message>{failure}</Message>;
  if (invitation === null) return <p role="status">Loading the invitation…</p>;
  if (invitation.state !== 'valid') return <Message>{ended[invitation.state]}</Message>;
  if (invitation.offer === null) return null;
  const { email, ...rights } = invitation.offer;
  return (
    <>
      <p className="wrap-anywhere">
        {shop.name} invites <strong>{email}</strong> to help run the shop.
      </p>
      <dl>
        <dt className="text-muted text-sm">What you may do</dt>
        <dd className="font-semibold">{describeRights(rights)}</dd>
      </dl>
      <NextStep token={token} email={email} />
    </>
  );
}

/** The page of an invitation's link. The button accepts, not the visit: mail scanners open links. */
export default function InvitationPage() {
  const token = useLinkToken();
  return (
    <CardPage title="Invitation">
      <NeedsScripts />
      {token === null && <Message>Please open this page by the link in the email of the invitation.</Message>}
      {typeof token === 'string' && <Offer key={token} token={token} />}
    </CardPage>
  );
}
