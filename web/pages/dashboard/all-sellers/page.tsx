import { useRef, useState } from 'react';
import { deleteSeller, listSellers, type Seller, verifySeller } from '#contract/operations/people.ts';
import { type CheckedDocument, checkedDocuments } from '#contract/people/seller-checks.ts';
import { Day } from '../../../formats/date-time.tsx';
import { PhoneLink } from '../../../formats/phone-link.tsx';
import { PeoplePage } from '../../../lists/people-page.tsx';
import { RowAction } from '../../../lists/row-action.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge, VerifiedIcon } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { focusTarget } from '../../../ui/route-announcer.tsx';
import { useFocusAfterRemoval } from '../../../ui/use-focus-after-removal.ts';
import { DocumentDialog, documentNames } from './document-dialog.tsx';
import { SellerMenu } from './seller-menu.tsx';
import { WaitingNames } from './waiting-names.tsx';

export const meta = privateMeta('All Sellers');

function Verification({ seller, refresh }: { seller: Seller; refresh: () => Promise<void> }) {
  const api = useApi();
  return (
    <RowAction
      label="Verify"
      busyLabel="Verifying"
      name={seller.name}
      variant="primary"
      run={() => api.call(verifySeller, { params: { email: seller.email }, query: { name: seller.name } })}
      refresh={refresh}
      done={{ title: 'Verification Successful!', message: `${seller.name} is now a verify seller.` }}
    >
      {seller.status ? (
        <Badge tone="trust">
          <VerifiedIcon />
          Verified
        </Badge>
      ) : undefined}
    </RowAction>
  );
}

/** What the admin has seen of a seller. */
function Checks({ seller }: { seller: Seller }) {
  const container = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(container);
  const [recording, setRecording] = useState<CheckedDocument | null>(null);
  return (
    <div
      ref={container}
      tabIndex={-1}
      className="flex flex-col items-end gap-2 outline-none @2xl:items-start"
    >
      {checkedDocuments.map((document) => {
        const at = seller.checks[document];
        const recorded = seller.documents[document];
        if (at === null) {
          return (
            <Button
              key={document}
              variant="secondary"
              size="small"
              aria-label={`${documentNames[document]} seen of ${seller.name}`}
              onClick={() => setRecording(document)}
            >
              {documentNames[document]}
            </Button>
          );
        }
        return (
          <div key={document} className="flex flex-col items-end gap-0.5 @2xl:items-start">
            <Badge tone="trust">
              {documentNames[document]}, <Day at={at} />
            </Badge>
            {recorded !== null && (
              <span className="text-muted text-sm">
                {recorded.kind}, {recorded.seen.toLowerCase()}
              </span>
            )}
          </div>
        );
      })}
      <DocumentDialog
        document={recording}
        seller={seller}
        onClose={() => setRecording(null)}
        finalFocus={() => container.current ?? focusTarget('')}
      />
    </div>
  );
}

/** The telephone number that the seller has confirmed, and who else has. */
function ConfirmedPhone({ seller: { checks, phone } }: { seller: Seller }) {
  if (checks.phone === null || phone === null) return null;
  return (
    <div className="flex flex-col items-end gap-1 @2xl:items-start">
      <Badge tone="trust">
        Phone number, <Day at={checks.phone} />
      </Badge>
      <PhoneLink>{phone.number}</PhoneLink>
      {phone.alsoOf.length > 0 && (
        <p className="max-w-64 break-words text-right text-sm @2xl:text-left">
          Also confirmed by {phone.alsoOf.join(', ')}
        </p>
      )}
    </div>
  );
}

export default function AllSellers() {
  const api = useApi();
  return (
    <PeoplePage
      title="All Sellers"
      description="Everyone who sells here. Buyers see on every laptop whether its seller is verified."
      roleName="seller"
      endpoint={listSellers}
      columns={(refresh) => [
        {
          heading: 'Verification',
          cell: (seller) => (
            <div className="flex flex-col items-end gap-2 @2xl:items-start">
              <Verification seller={seller} refresh={refresh} />
              <Checks seller={seller} />
              <ConfirmedPhone seller={seller} />
            </div>
          ),
        },
      ]}
      consequence="The account ends at once, its unsold laptops leave the shop, and unpaid bookings of them are cancelled. Its sales go on: a complaint that nobody answers ends for the buyer, and what the shop owes the seller stays to be paid."
      remove={(_id) => api.call(deleteSeller, { params: { _id } })}
      menu={(seller, deletion) => <SellerMenu seller={seller} deletion={deletion} />}
    >
      <WaitingNames />
    </PeoplePage>
  );
}
