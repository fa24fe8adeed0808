import {
  approveName,
  deleteSeller,
  listSellers,
  listWaitingNames,
  refuseName,
  type Seller,
  verifySeller,
  type WaitingName,
} from '#contract/operations/user-admin.ts';
import { checkedDocuments } from '#contract/people/seller-checks.ts';
import { DateTime, Day } from '../../../formats/date-time.tsx';
import { EmailAddress } from '../../../formats/email-address.tsx';
import { PhoneLink } from '../../../formats/phone-link.tsx';
import { SellerName } from '../../../formats/seller-name.tsx';
import { Decisions } from '../../../forms/decisions.tsx';
import { WriteButton } from '../../../forms/write-button.tsx';
import { ListView } from '../../../lists/list-view.tsx';
import { PeoplePage } from '../../../lists/people-page.tsx';
import { RowAction } from '../../../lists/row-action.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Section } from '../../../ui/section.tsx';
import { documentNames, SellerMenu, VerifiedBadge } from './seller-menu.tsx';

/** The documents that an admin has seen of a seller. */
function Documents({ seller: { checks, documents } }: { seller: Seller }) {
  return checkedDocuments.map((document) => {
    const at = checks[document];
    const recorded = documents[document];
    if (at === null) return null;
    return (
      <span key={document} className="inline-flex flex-wrap items-center justify-end gap-x-2">
        <Badge tone="trust">
          {documentNames[document]}, <Day at={at} />
        </Badge>
        {recorded !== null && (
          <span className="text-muted text-sm">
            {recorded.kind}, {recorded.seen.toLowerCase()}
          </span>
        )}
      </span>
    );
  });
}

/** The telephone number that the seller has confirmed, and who else has. */
function ConfirmedPhone({ seller: { checks, phone } }: { seller: Seller }) {
  if (checks.phone === null || phone === null) return null;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
      <Badge tone="trust">
        Phone number, <Day at={checks.phone} />
      </Badge>
      <PhoneLink>{phone.number}</PhoneLink>
      {phone.alsoOf.length > 0 && (
        <span className="max-w-64 break-words text-right text-sm @2xl:text-left">
          Also confirmed by {phone.alsoOf.join(', ')}
        </span>
      )}
    </span>
  );
}

function WaitingNameItem({ item }: { item: WaitingName }) {
  const { _id, sellerId, name, newName, email, status, checks, at } = item;
  return (
    <article
      tabIndex={-1}
      aria-label={`${name}: ${newName}`}
      className="card flex flex-col gap-3 outline-none"
    >
      <p className="text-lg wrap-anywhere">
        <SellerName name={name} id={sellerId} rating={undefined} /> wants to be called{' '}
        <strong>{newName}</strong>
      </p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm">
        <EmailAddress>{email}</EmailAddress>
        <span>
          asked on <DateTime at={at} />
        </span>
        {status && <VerifiedBadge />}
        {checkedDocuments.map(
          (document) =>
            checks[document] !== null && (
              <Badge key={document} tone="trust">
                {documentNames[document]}
              </Badge>
            ),
        )}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <WriteButton
          endpoint={approveName}
          input={{ params: { _id } }}
          done={`Approved: ${name} is now ${newName}. The seller was told.`}
          variant="primary"
          aria-label={`Approve ${newName}`}
          busy="Approving"
        >
          Approve
        </WriteButton>
        <Decisions
          name={newName}
          decisions={[
            {
              button: 'Refuse',
              busy: 'Refusing',
              isDangerous: true,
              title: 'Refuse the new name?',
              consequences: [
                `The seller keeps the name ${name}, with all that was checked.`,
                'The seller is told, with your reason.',
              ],
              field: 'reason',
              label: 'Reason for the seller',
              hint: 'The audit trail keeps it as well.',
              endpoint: refuseName,
              params: { _id },
              done: `The new name was refused. ${name} was told.`,
              alreadyDone: 'The new name was refused already.',
            },
          ]}
        />
      </div>
    </article>
  );
}

/** The new names that wait for an admin; nothing without any. */
const WaitingNames = () => (
  <ListView endpoint={listWaitingNames} what="the new names" empty={null} skeleton={false}>
    {(items) => (
      <Section
        title="New names"
        hint="We have verified these sellers under their present name. Before you approve, ask for a document with the new name."
        className="mb-8"
      >
        <ul className="flex flex-col gap-6">
          {items.map((item) => (
            <li key={item._id}>
              <WaitingNameItem item={item} />
            </li>
          ))}
        </ul>
      </Section>
    )}
  </ListView>
);

export default function AllSellers() {
  return (
    <PeoplePage
      title="All Sellers"
      description="Everyone who sells here. Buyers see on every laptop whether its seller is verified."
      roleName="seller"
      endpoint={listSellers}
      columns={[
        {
          heading: 'Verification',
          cell: (seller) => (
            <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1.5 @2xl:justify-start">
              <RowAction
                label="Verify"
                busyLabel="Verifying"
                name={seller.name}
                variant="primary"
                endpoint={verifySeller}
                input={{ params: { email: seller.email }, query: { name: seller.name } }}
                question={{
                  title: `Verify ${seller.name}?`,
                  message: (
                    <>
                      {seller.openReports > 0 && (
                        <strong className="mb-2 block text-danger">
                          {seller.openReports === 1
                            ? 'One report of this seller’s laptops is open.'
                            : `${seller.openReports} reports of this seller’s laptops are open.`}{' '}
                          Decide them first.
                        </strong>
                      )}
                      Buyers see ‘Verified Seller’ on every laptop of this seller, with what you have
                      recorded. The audit trail keeps your name.
                    </>
                  ),
                  yes: 'Yes, verify',
                }}
                done={{
                  title: 'Verification Successful!',
                  message: `${seller.name} is now a verify seller.`,
                }}
              >
                {seller.status ? <VerifiedBadge /> : undefined}
              </RowAction>
              <Documents seller={seller} />
              <ConfirmedPhone seller={seller} />
            </div>
          ),
        },
      ]}
      consequence="The account ends at once, its unsold laptops leave the shop, and unpaid bookings of them are cancelled. Its sales go on: buyers are told, and a laptop whose hand-over or complaint stays unanswered is refunded. Nothing is transferred to this seller automatically any more: what is due waits under Settlements for your decision."
      consequenceOfBoth="This person also buys: unpaid bookings of other laptops are cancelled, too."
      deletion={deleteSeller}
      menu={(seller, deletion) => <SellerMenu seller={seller} deletion={deletion} />}
    >
      <WaitingNames />
    </PeoplePage>
  );
}
