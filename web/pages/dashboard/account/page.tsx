import { useState } from 'react';
import { href } from 'react-router';
import type { Account } from '#contract/identity/account.ts';
import { renewRecoveryCodes } from '#contract/identity/second-factor.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { QueryView, StaleDataNotice } from '../../../requests/query-view.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Authenticator } from './authenticator.tsx';
import { BuyingAndSelling } from './buying-and-selling.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DownloadData } from './download-data.tsx';
import { EmailAddressSection } from './email-address.tsx';
import { Name } from './name.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { PasswordConfirmedButton } from './password-confirmed-button.tsx';
import { PhoneNumber } from './phone-number.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Sessions } from './sessions.tsx';
import { useAccount } from './use-account.ts';

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
  return (
    <>
      <PageHeading title="Account">
        Your name, what you do here, your sign-in, your open sessions and your stored data.
      </PageHeading>
      <QueryView
        query={query}
        what="your account"
        skeleton={
          <div className="flex flex-col gap-5">
            {['address', 'password', 'factor'].map((part) => (
              <Skeleton key={part} className="h-40" />
            ))}
          </div>
        }
      >
        {(account) => (
          <div className="flex max-w-3xl flex-col gap-5">
            <StaleDataNotice query={query} />
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
