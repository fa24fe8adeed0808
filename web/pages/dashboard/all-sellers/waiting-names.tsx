import { useRef } from 'react';
import { approveName, listWaitingNames, refuseName, type WaitingName } from '#contract/operations/people.ts';
import { checkedDocuments } from '#contract/people/seller-checks.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { EmailAddress } from '../../../formats/email-address.tsx';
import { SellerName } from '../../../formats/seller-name.tsx';
import { Decisions } from '../../../forms/decisions.tsx';
import { WriteButton } from '../../../forms/write-button.tsx';
import { ListCards, useList } from '../../../lists/list-view.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { focusTarget } from '../../../ui/route-announcer.tsx';
import { Section } from '../../../ui/section.tsx';
import { documentNames, VerifiedBadge } from './seller-menu.tsx';

function WaitingNameItem({ item }: { item: WaitingName }) {
  const container = useRef<HTMLElement>(null);
  const { _id, sellerId, name, newName, email, status, checks, at } = item;
  return (
    <article
      ref={container}
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
          finalFocus={() => container.current ?? focusTarget('')}
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
export function WaitingNames() {
  const list = useList(listWaitingNames);
  if (!list.isError && !list.data?.pages.some(({ items }) => items.length > 0)) return null;
  return (
    <Section
      title="New names"
      hint="We have verified these sellers under their present name. Before you approve, ask for a document with the new name."
      className="mb-8"
    >
      <ListCards
        list={list}
        what="the new names"
        empty={null}
        card={(item) => <WaitingNameItem item={item} />}
      />
    </Section>
  );
}
