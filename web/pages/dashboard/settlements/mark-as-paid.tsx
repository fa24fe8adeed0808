import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Problem } from '#contract/client.ts';
import { formatDollars } from '#contract/scalars.ts';
import { type AmountDue, settleByHand } from '#contract/settlements.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { useRecentSignIn } from '../../../forms/recent-sign-in.tsx';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DollarInput, Field, FormFailure, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

/** A retry after a lost response records the payment once. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

interface MarkAsPaidProps {
  amount: AmountDue;
  /** Refetches the lists. */
  refresh: () => Promise<void>;
}

interface FormProps extends MarkAsPaidProps {
  onBusyChange: (busy: boolean) => void;
  onClose: () => void;
}

function PaymentForm({ amount: { _id, sellerName, due }, refresh, onBusyChange, onClose }: FormProps) {
  const api = useApi();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { amount: due.toFixed(2), reference: '' } });
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (values) => {
    setFailure(null);
    onBusyChange(true);
    const body = { sellerId: _id, ...values };
    try {
      await withRecentSignIn(() =>
        idempotencyKeys.send(`settle:${_id}`, body, ({ idempotencyKey }) =>
          api.call(settleByHand, { body, idempotencyKey }),
        ),
      );
      toast.success(`The payment to ${sellerName} is recorded.`);
      onClose();
      void refresh();
    } catch (error) {
      setFailure(applyProblem(form, error));
      // The amount has changed meanwhile.
      if (error instanceof Problem && error.code === 'more_than_due') void refresh();
    } finally {
      onBusyChange(false);
    }
  });

  return (
    <>
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        <Field
          label="Amount"
          error={errors.amount?.message}
          hint={`${formatDollars(due)} is due. A part is possible.`}
        >
          <DollarInput required {...register('amount')} />
        </Field>
        <Field
          label="Reference"
          error={errors.reference?.message}
          hint="The bank’s reference. The seller gets it by email, and it is recorded once."
        >
          <TextInput autoComplete="off" required maxLength={100} {...register('reference')} />
        </Field>
        <FormFailure message={failure} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={isSubmitting && 'Recording'}>
            Mark as paid
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}

/** A button with a dialog that records a payment to a seller. */
export function MarkAsPaid({ amount, refresh }: MarkAsPaidProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="tinted"
        aria-label={`Mark as paid: ${amount.sellerName}`}
        onClick={() => setIsOpen(true)}
      >
        Mark as paid
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={(open) => !open && !isBusy && setIsOpen(false)}
        title="Mark as paid"
        description={`You have paid ${amount.sellerName} from the shop’s bank account.`}
      >
        <PaymentForm
          amount={amount}
          refresh={refresh}
          onBusyChange={setIsBusy}
          onClose={() => setIsOpen(false)}
        />
      </Dialog>
    </>
  );
}
