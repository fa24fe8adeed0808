import { useRef, useState } from 'react';
import type { Seller } from '#contract/operations/people.ts';
import {
  type CheckedDocument,
  checkedDocuments,
  type SellerBadge,
  takeBadgeBack,
} from '#contract/people/seller-checks.ts';
import { type Decision, DecisionDialog } from '../../../forms/decisions.tsx';
import { type Deletion, RowMenu } from '../../../lists/row-menu.tsx';
import { DocumentDialog, documentNames } from './document-dialog.tsx';

const consequences: Readonly<Record<SellerBadge, string>> = {
  verified: 'Buyers see the seller as not verified, and nothing of what was checked.',
  address: 'Buyers no longer read that the shop has seen a proof of address.',
  identity: 'Buyers no longer read that the shop has seen an identity document.',
};

const names: Readonly<Record<SellerBadge, string>> = {
  verified: 'Verified badge',
  address: 'Proof of address badge',
  identity: 'Identity document badge',
};

/** The menu of a seller: records documents, removes badges, and deletes the account. */
export function SellerMenu({ seller, deletion }: { seller: Seller; deletion: Deletion }) {
  const button = useRef<HTMLButtonElement>(null);
  const [taking, setTaking] = useState<SellerBadge | null>(null);
  const [recording, setRecording] = useState<CheckedDocument | null>(null);
  const { status, checks, email, name } = seller;
  const held: SellerBadge[] = [
    ...(status ? (['verified'] as const) : []),
    ...(['address', 'identity'] as const).filter((document) => checks[document] !== null),
  ];
  const toDecision = (badge: SellerBadge): Decision => ({
    button: 'Remove badge',
    busy: 'Removing',
    isDangerous: true,
    title: `Remove the ${names[badge]}?`,
    consequences: [
      consequences[badge],
      'The seller’s laptops stay for sale.',
      'The seller is told, with your reason.',
    ],
    field: 'reason',
    label: 'Reason for the seller',
    hint: 'The audit trail keeps it as well.',
    endpoint: takeBadgeBack,
    params: { email, badge },
    done: `The ${names[badge]} of ${name} was removed.`,
    alreadyDone: `The ${names[badge]} of ${name} was removed already.`,
  });
  return (
    <>
      <RowMenu
        name={name}
        deletion={deletion}
        buttonRef={button}
        items={[
          ...checkedDocuments
            .filter((document) => checks[document] === null)
            .map((document) => ({
              text: `Record ${documentNames[document].toLowerCase()}`,
              label: `Record ${documentNames[document].toLowerCase()} of ${name}`,
              onClick: () => setRecording(document),
            })),
          ...held.map((badge) => ({
            text: `Remove ${names[badge]}`,
            label: `Remove ${names[badge]} of ${name}`,
            isDangerous: true,
            onClick: () => setTaking(badge),
          })),
        ]}
      />
      <DocumentDialog
        document={recording}
        seller={seller}
        onClose={() => setRecording(null)}
        finalFocus={() => button.current}
      />
      <DecisionDialog
        name={name}
        decision={taking === null ? null : toDecision(taking)}
        onClose={() => setTaking(null)}
        finalFocus={() => button.current}
      />
    </>
  );
}
