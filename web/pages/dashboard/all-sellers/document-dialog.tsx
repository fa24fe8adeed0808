import { useState } from 'react';
import type { Seller } from '#contract/operations/people.ts';
import {
  type CheckedDocument,
  documentKinds,
  recordSellerCheck,
  waysSeen,
} from '#contract/people/seller-checks.ts';
import { today } from '../../../formats/shop-days.ts';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { isOutdated } from '../../../requests/use-write.ts';
import { Field, Options, Select, TextInput } from '../../../ui/field.tsx';

/** How documents are called on this page. */
export const documentNames: Readonly<Record<CheckedDocument, string>> = {
  address: 'Proof of address',
  identity: 'Identity document',
};

interface DocumentDialogProps {
  seller: Seller;
  /** The document to record; null closes the dialog. */
  document: CheckedDocument | null;
  onClose: () => void;
  /** The element to focus when the button that opened it is gone. */
  finalFocus: () => HTMLElement | null;
}

/** Records which document of a seller an admin has seen, how and when. */
export function DocumentDialog({ document, ...props }: DocumentDialogProps) {
  // Stays while the dialog closes.
  const [shown, setShown] = useState(document);
  if (document !== null && document !== shown) setShown(document);
  return shown && <ShownDialog key={shown} document={shown} open={document !== null} {...props} />;
}

type ShownDialogProps = Omit<DocumentDialogProps, 'document'> & { document: CheckedDocument; open: boolean };

function ShownDialog({ document, open, seller, onClose, finalFocus }: ShownDialogProps) {
  const name = documentNames[document];
  const close = () => {
    form.reset();
    onClose();
  };
  const form = useWriteForm(recordSellerCheck, {
    defaultValues: { kind: '', seen: '', day: today() },
    input: (values: { kind: string; seen: string; day: string }) => ({
      params: { email: seller.email },
      body: { document, name: seller.name, ...values },
    }),
    done: ({ modifiedCount }) =>
      modifiedCount > 0 ? `${name} recorded. Please keep no copy.` : `${name} was recorded already.`,
    failed: seller.name,
    closesOn: isOutdated,
    onClose: close,
  });
  return (
    <FormDialog
      form={form}
      open={open}
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
      onClose={close}
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
