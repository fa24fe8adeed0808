import { useState } from 'react';
import { href } from 'react-router';
import { type Account, sendVerification } from '#contract/identity/account.ts';
import { renewRecoveryCodes } from '#contract/identity/second-factor.ts';
import { slugOf } from '#contract/listings/slug.ts';
import { readOwnName } from '#contract/people/accounts.ts';
import { displayedEmail } from '../../../formats/displayed-email.ts';
import { AddRoleButton } from '../../../forms/add-role-button.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { SellerTerms } from '../../../money/seller-terms.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useReadAhead } from '../../../requests/reads.ts';
import { useRoles } from '../../../session/roles.ts';
import { useShop } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton, SmallButton } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { Authenticator } from './authenticator.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DownloadData } from './download-data.tsx';
import { Name } from './name.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { PasswordConfirmedButton } from './password-confirmed-button.tsx';
import { PhoneNumber, useOwnPhone } from './phone-number.tsx';
import { Sessions } from './sessions.tsx';
import { useAccount, useAccountChange, useOpenSessions } from './use-account.ts';

/** What the account does, and the button to do both; nothing for admins. */
function BuyingAndSelling() {
  const roles = useRoles();
  if (roles.status !== 'known' || roles.isAdmin) return null;
  return (
    <CardSection title="Buying and selling">
      {roles.isBuyer && roles.isSeller ? (
        <p className="max-w-prose text-muted">You buy and sell with this account.</p>
      ) : roles.isBuyer ? (
        <>
          <p className="max-w-prose text-muted">
            You buy with this account. It can sell as well. <SellerTerms />
          </p>
          <AddRoleButton adds="Seller" variant="secondary" size="small" />
        </>
      ) : (
        <>
          <p className="max-w-prose text-muted">
            You sell with this account. It can buy as well, only not your own laptops.
          </p>
          <AddRoleButton adds="Buyer" variant="secondary" size="small" />
        </>
      )}
    </CardSection>
  );
}

/** The email address and its verification. */
function EmailAddressSection({ account: { email, emailVerified, sendsMail } }: { account: Account }) {
  const sending = useAccountChange(
    (actions, _: undefined) => actions.call(sendVerification, {}),
    () => `An email is on its way to ${displayedEmail(email)}.`,
  );
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
          <SmallButton onClick={() => sending.mutate(undefined)} busy={sending.isPending && 'Sending'}>
            Send the email again
          </SmallButton>
        </>
      )}
    </CardSection>
  );
}

/** Shows new recovery codes once. Only the button closes the dialog. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const { name } = useShop();
  const text = `${[`${name} recovery codes. Each works once.`, ...(codes ?? [])].join('\n')}\n`;
  return (
    <AlertDialog
      open={codes !== null}
      onClose={onClose}
      ignoresEscape
      title="Your recovery codes"
      message="Each code replaces your second factor once, for example when your phone is lost. They are shown only now: please store them in a safe place."
      closeLabel="I have stored them"
    >
      <ul className="figures mt-5 grid grid-cols-1 gap-x-6 gap-y-1 font-mono min-[24rem]:grid-cols-2">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <a
        className="mt-6 inline-flex min-h-11 items-center rounded-lg border border-border-strong px-5 font-semibold hover:bg-subtle"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        download={`${slugOf(name)}-recovery-codes.txt`}
      >
        Download
      </a>
    </AlertDialog>
  );
}

export const meta = privateMeta('Account');

function SecondFactor({ account }: { account: Account }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const isOn = account.totp || account.passkeys.length > 0;
  return (
    <CardSection title="Second factor">
      <p className="max-w-prose text-muted">
        {isOn
          ? 'Your password alone is not enough to sign in. If you lose your device, use a recovery code.'
          : 'With a second factor, somebody who knows your password cannot sign in with it alone.'}
      </p>
      <Authenticator account={account} onCodes={setCodes} />
      <Passkeys account={account} onCodes={setCodes} />
      {isOn && (
        <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p>
            <span className="font-semibold">Recovery codes</span>{' '}
            <span className="text-muted">{account.recoveryCodesLeft} left</span>
          </p>
          <PasswordConfirmedButton
            label="Make new recovery codes"
            busyLabel="Making them"
            explanation="The codes that you have now stop working."
            hasPassword={account.hasPassword}
            run={(actions, body) => actions.call(renewRecoveryCodes, { body })}
            onDone={({ recoveryCodes }) => setCodes(recoveryCodes)}
          />
        </div>
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </CardSection>
  );
}

export default function AccountPage() {
  const query = useAccount();
  // The parts of the page below read them.
  useOpenSessions();
  useOwnPhone();
  useReadAhead(readOwnName, {});
  return (
    <>
      <PageHeading title="Account">
        Your name, what you do here, your sign-in, your open sessions and your stored data.
      </PageHeading>
      <QueryView query={query} what="your account" skeleton={<Skeletons className="h-40" />}>
        {(account) => (
          <div className="flex max-w-3xl flex-col gap-5">
            <Name />
            <EmailAddressSection account={account} />
            <BuyingAndSelling />
            <PhoneNumber />
            <Password hasPassword={account.hasPassword} />
            <SecondFactor account={account} />
            <Sessions />
            <CardSection title="Notifications">
              <p className="max-w-prose text-muted">
                Which emails you get and when, and what this browser shows you.
              </p>
              <LinkButton
                variant="secondary"
                size="small"
                to={`${href('/dashboard/notifications')}#settings`}
              >
                Choose notifications
              </LinkButton>
            </CardSection>
            <DownloadData />
            <DeleteAccount account={account} />
          </div>
        )}
      </QueryView>
    </>
  );
}
