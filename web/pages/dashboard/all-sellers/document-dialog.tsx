import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Seller } from '#contract/operations/people.ts';
import {
  type CheckedDocument,
  documentKinds,
  NewSellerCheck,
  recordSellerCheck,
  waysSeen,
} from '#contract/people/seller-checks.ts';
import { Problem } from '#contract/platform/client.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { useFailureToast } from '../../../forms/use-failure-toast.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, FormFailure, Select, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useMounted } from '../../../ui/use-mounted.ts';

/** How documents are called on this page. */
export const documentNames: Readonly<Record<CheckedDocument, string>> = {
  address: 'Proof of address',
  identity: 'Identity document',
};

/** The day of this browser's calendar, such as `2026-11-26`. */
function today(): string {
  const now = new Date();
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}

type CheckValues = z.input<typeof NewSellerCheck>;

interface DocumentFormProps {
  seller: Seller;
  document: CheckedDocument;
  refresh: () => Promise<void>;
  onClose: () => void;
}

function DocumentForm({ seller, document, refresh, onClose }: DocumentFormProps) {
  const api = useApi();
  const [failure, setFailure] = useState<string | null>(null);
  const isMounted = useMounted();
  const toastFailure = useFailureToast();
  const form = useForm<CheckValues>({
    defaultValues: { document, name: seller.name, day: today() },
    resolver: standardSchemaResolver(NewSellerCheck, undefined, { raw: true }),
  });
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    setFailure(null);
    try {
      const { modifiedCount } = await api.call(recordSellerCheck, {
        params: { email: seller.email },
        body,
      });
      const name = documentNames[document];
      toast.success(
        modifiedCount > 0 ? `${name} recorded. Please keep no copy.` : `${name} was recorded already.`,
      );
      onClose();
      await refresh();
    } catch (error) {
      if (!isMounted()) toastFailure(`${seller.name}: ${errorMessage(error)}`);
      else if (error instanceof Problem && (error.status === 404 || error.status === 409)) {
        toast.error(error.message);
        onClose();
        await refresh();
      } else setFailure(applyProblem(form, error));
    }
  });

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <Field label="Which document" error={errors.kind?.message}>
        <Select required {...register('kind')}>
          <option value="">Choose the document</option>
          {documentKinds[document].map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </Select>
      </Field>
      <Field label="How you have seen it" error={errors.seen?.message}>
        <Select required {...register('seen')}>
          <option value="">Choose how</option>
          {waysSeen.map((way) => (
            <option key={way}>{way}</option>
          ))}
        </Select>
      </Field>
      <Field label="On which day" error={errors.day?.message}>
        <TextInput type="date" required max={today()} {...register('day')} />
      </Field>
      <FormFailure message={failure ?? errors.name?.message ?? null} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={isSubmitting && 'Recording'}>
          Record
        </Button>
      </div>
    </form>
  );
}

interface DocumentDialogProps extends Omit<DocumentFormProps, 'document'> {
  /** The document to record; null closes the dialog. */
  document: CheckedDocument | null;
  /** The element to focus when the button that opened it is gone. */
  finalFocus: () => HTMLElement | null;
}

/** Records which document of a seller an admin has seen, how and when. */
export function DocumentDialog({ document, seller, refresh, onClose, finalFocus }: DocumentDialogProps) {
  // Stays while the dialog closes.
  const [shown, setShown] = useState(document);
  if (document !== null && document !== shown) setShown(document);
  return (
    <Dialog
      open={document !== null}
      onOpenChange={(open) => !open && onClose()}
      title={shown === null ? '' : documentNames[shown]}
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
    >
      {shown !== null && (
        <DocumentForm key={shown} seller={seller} document={shown} refresh={refresh} onClose={onClose} />
      )}
    </Dialog>
  );
}
