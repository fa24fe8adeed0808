import { useRef } from 'react';
import { approveName, listWaitingNames, refuseName, type WaitingName } from '#contract/operations/people.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { EmailAddress } from '../../../formats/email-address.tsx';
import { SellerName } from '../../../formats/seller-name.tsx';
import { Decisions } from '../../../forms/decisions.tsx';
import { ListCards } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Badge, VerifiedIcon } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { focusTarget } from '../../../ui/route-announcer.tsx';
import { documentNames } from './document-dialog.tsx';

function WaitingNameItem({ item }: { item: WaitingName }) {
  const container = useRef<HTMLElement>(null);
  const { _id, sellerId, name, newName, email, status, checks, at } = item;
  const approval = useWrite(approveName, {
    done: `Approved: ${name} is now ${newName}. The seller was told.`,
    untilRead: true,
  });
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
        {status && (
          <Badge tone="trust">
            <VerifiedIcon />
            Verified
          </Badge>
        )}
        {(['address', 'identity'] as const).map(
          (document) =>
            checks[document] !== null && (
              <Badge key={document} tone="trust">
                {documentNames[document]}
              </Badge>
            ),
        )}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="small"
          aria-label={`Approve ${newName}`}
          busy={approval.isPending && 'Approving'}
          onClick={() => approval.mutate({ params: { _id } })}
        >
          Approve
        </Button>
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
    <section aria-labelledby="waiting-names" className="mb-8 flex flex-col gap-4">
      <div>
        <h2 id="waiting-names" className="text-xl">
          New names
        </h2>
        <p className="max-w-prose text-muted">
          We have verified these sellers under their present name. Before you approve, ask for a document with
          the new name.
        </p>
      </div>
      <ListCards
        list={list}
        what="the new names"
        empty={null}
        card={(item) => <WaitingNameItem item={item} />}
      />
    </section>
  );
}
