import { deleteSeller, listSellers, type Seller, verifySeller } from '#contract/operations/people.ts';
import { checkedDocuments } from '#contract/people/seller-checks.ts';
import { Day } from '../../../formats/date-time.tsx';
import { PhoneLink } from '../../../formats/phone-link.tsx';
import { PeoplePage } from '../../../lists/people-page.tsx';
import { RowAction } from '../../../lists/row-action.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { documentNames, SellerMenu, VerifiedBadge } from './seller-menu.tsx';
import { WaitingNames } from './waiting-names.tsx';

function Verification({ seller }: { seller: Seller }) {
  return (
    <RowAction
      label="Verify"
      busyLabel="Verifying"
      name={seller.name}
      variant="primary"
      endpoint={verifySeller}
      input={{ params: { email: seller.email }, query: { name: seller.name } }}
      done={{ title: 'Verification Successful!', message: `${seller.name} is now a verify seller.` }}
    >
      {seller.status ? <VerifiedBadge /> : undefined}
    </RowAction>
  );
}

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
              <Verification seller={seller} />
              <Documents seller={seller} />
              <ConfirmedPhone seller={seller} />
            </div>
          ),
        },
      ]}
      consequence="The account ends at once, its unsold laptops leave the shop, and unpaid bookings of them are cancelled. Its sales go on: a complaint that nobody answers ends for the buyer, and what the shop owes the seller stays to be paid."
      consequenceOfBoth="This person also buys: unpaid bookings of other laptops are cancelled, too."
      deletion={deleteSeller}
      menu={(seller, deletion) => <SellerMenu seller={seller} deletion={deletion} />}
    >
      <WaitingNames />
    </PeoplePage>
  );
}
