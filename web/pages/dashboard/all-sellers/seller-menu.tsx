import { useRef, useState } from 'react';
import type { Seller } from '#contract/operations/user-admin.ts';
import {
  type CheckedDocument,
  checkedDocuments,
  documentKinds,
  recordSellerCheck,
  type SellerBadge,
  takeBadgeBack,
  waysSeen,
} from '#contract/people/seller-checks.ts';
import { today } from '../../../formats/shop-days.ts';
import { type Decision, DecisionDialog } from '../../../forms/decisions.tsx';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { type Deletion, RowMenu } from '../../../lists/row-menu.tsx';
import { isOutdated } from '../../../requests/use-write.ts';
import { Badge, VerifiedIcon } from '../../../ui/badge.tsx';
import { Field, Options, Select, TextInput } from '../../../ui/field.tsx';

/** How documents are called on this page. */
export const documentNames: Readonly<Record<CheckedDocument, string>> = {
  address: 'Proof of address',
  identity: 'Identity document',
};

export const VerifiedBadge = () => (
  <Badge tone="trust">
    <VerifiedIcon />
    Verified
  </Badge>
);

interface DocumentDialogProps {
  seller: Seller;
  document: CheckedDocument;
  onClose: () => void;
  /** The element to focus when the button that opened it is gone. */
  finalFocus: () => HTMLElement | null;
}

/** Records which document of a seller an admin has seen, how and when. */
function DocumentDialog({ document, seller, onClose, finalFocus }: DocumentDialogProps) {
  const name = documentNames[document];
  const form = useWriteForm(recordSellerCheck, {
    defaultValues: { kind: '', seen: '', day: today() },
    input: (values: { kind: string; seen: string; day: string }) => ({
      params: { email: seller.email },
      body: { document, name: seller.name, ...values },
    }),
    done: ({ modifiedCount }) =>
      modifiedCount > 0 ? `${name} recorded. Please keep no copy.` : `${name} was recorded already.`,
    failureTitle: seller.name,
    closesOn: isOutdated,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={name}
      finalFocus={finalFocus}
      description={
        <>
          <p>
            Record it only if the document shows the name{' '}
            <strong className="text-foreground wrap-anywhere">{seller.name}</strong>.
          </p>
          <p className="mt-2">
            Buyers read that the shop has seen it and on which day, once the seller is verified. The seller
            and the audit trail get what you record. Please keep no copy.
          </p>
        </>
      }
      submit="Record"
      busy="Recording"
      onClose={onClose}
    >
      <Field label="Which document" {...form.field('kind')}>
        <Select required>
          <option value="">Choose the document</option>
          <Options values={documentKinds[document]} />
        </Select>
      </Field>
      <Field label="How you have seen it" {...form.field('seen')}>
        <Select required>
          <option value="">Choose how</option>
          <Options values={waysSeen} />
        </Select>
      </Field>
      <Field label="On which day" {...form.field('day')}>
        <TextInput type="date" required max={today()} />
      </Field>
    </FormDialog>
  );
}

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
    ...checkedDocuments.filter((document) => checks[document] !== null),
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
              onClick: () => setRecording(document),
            })),
          ...held.map((badge) => ({
            text: `Remove ${names[badge]}`,
            isDangerous: true,
            onClick: () => setTaking(badge),
          })),
        ]}
      />
      {recording && (
        <DocumentDialog
          document={recording}
          seller={seller}
          onClose={() => setRecording(null)}
          finalFocus={() => button.current}
        />
      )}
      {taking && (
        <DecisionDialog
          name={name}
          decision={toDecision(taking)}
          onClose={() => setTaking(null)}
          finalFocus={() => button.current}
        />
      )}
    </>
  );
}
