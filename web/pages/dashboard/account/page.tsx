import { href } from 'react-router';
import { type Account, listSessions, readAccount } from '#contract/identity/account.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { readOwnName } from '#contract/people/accounts.ts';
import { displayedEmail } from '../../../formats/displayed-email.ts';
import { AddRoleButton } from '../../../forms/add-role-button.tsx';
import { DownloadButton, jsonFile } from '../../../forms/download-button.tsx';
import { SendVerificationButton } from '../../../forms/unconfirmed-email.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { SellerTerms } from '../../../money/seller-terms.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { usePrefetch, useRead } from '../../../requests/reads.ts';
import { useRoles } from '../../../session/roles.ts';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Name } from './name.tsx';
import { Password } from './password.tsx';
import { PhoneNumber, useOwnPhone } from './phone-number.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

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
          <SendVerificationButton email={email} />
        </>
      )}
    </CardSection>
  );
}

export default function AccountPage() {
  const query = useRead(readAccount, {});
  // The parts of the page below read them.
  usePrefetch(listSessions, {});
  useOwnPhone();
  usePrefetch(readOwnName, {});
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
            <CardSection
              title="Notifications"
              hint="Which emails you get and when, and what this browser shows you."
            >
              <LinkButton
                variant="secondary"
                size="small"
                to={`${href('/dashboard/notifications')}#settings`}
              >
                Choose notifications
              </LinkButton>
            </CardSection>
            <CardSection
              title="Your data"
              hint="All data that the shop stores about you, in one file: your account, laptops, bookings, wishlist, payments and reports."
            >
              <DownloadButton
                label="Download my data"
                busy="Gathering your data"
                read={async ({ call }) => {
                  const data = await call(readOwnData, {});
                  return jsonFile(`my-data-${data.exportedAt.slice(0, 10)}`, data);
                }}
              />
            </CardSection>
            <DeleteAccount account={account} />
          </div>
        )}
      </QueryView>
    </>
  );
}
