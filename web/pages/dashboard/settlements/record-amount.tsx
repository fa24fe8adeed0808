import { type ComponentProps, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Problem } from '#contract/platform/client.ts';
import { AmountField } from '../../../forms/amount-field.tsx';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { useRecentSignIn } from '../../../forms/recent-sign-in.tsx';
import { amountOrText } from '../../../forms/typed-amount.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, FormFailure, TextArea, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

/** A retry after a lost response records the amount once. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

interface Values {
  /** Dollars, as typed in the form and as a request has them in `send`. */
  amount: string;
  /** Empty when a reason is asked for. */
  reference: string;
  /** Empty when a reference is asked for. */
  reason: string;
}

interface RecordAmountProps {
  /** The text of both buttons and the dialog's title. */
  action: string;
  variant: ComponentProps<typeof Button>['variant'];
  sellerName: string;
  description: string;
  /** The amount that is typed at first, in dollars. */
  amount: number;
  amountHint: string;
  /** What is asked for beside the amount: the bank's reference, or a reason for the audit trail. */
  asksFor: 'reference' | 'reason';
  /** The refusal of more than what is left by now; the lists are refetched then. */
  outdated: 'more_than_due' | 'more_than_owed';
  /** The operation and the seller. */
  keyName: string;
  send: (values: Values, idempotencyKey: string) => Promise<unknown>;
  /** What the toast says afterwards. */
  done: string;
  /** Refetches the lists. */
  refresh: () => Promise<void>;
}

interface FormProps extends RecordAmountProps {
  onBusyChange: (busy: boolean) => void;
  onClose: () => void;
}

function AmountForm(props: FormProps) {
  const { action, amount, amountHint, asksFor, outdated, keyName, send, done, refresh } = props;
  const { onBusyChange, onClose } = props;
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>({ defaultValues: { amount: amount.toFixed(2), reference: '', reason: '' } });
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (typed) => {
    const values = { ...typed, amount: amountOrText(typed.amount) };
    setFailure(null);
    onBusyChange(true);
    try {
      await withRecentSignIn(() =>
        idempotencyKeys.send(keyName, values, ({ idempotencyKey }) => send(values, idempotencyKey)),
      );
      toast.success(done);
      onClose();
      void refresh();
    } catch (error) {
      setFailure(applyProblem(form, error));
      if (error instanceof Problem && error.code === outdated) void refresh();
    } finally {
      onBusyChange(false);
    }
  });

  return (
    <>
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        <AmountField control={form.control} name="amount" label="Amount" hint={amountHint} required />
        {asksFor === 'reference' ? (
          <Field
            label="Reference"
            error={errors.reference?.message}
            hint="The bank’s reference. The seller gets it by email, and it is recorded once."
          >
            <TextInput autoComplete="off" required maxLength={100} {...register('reference')} />
          </Field>
        ) : (
          <Field label="Reason" error={errors.reason?.message} hint="It is kept in the audit trail.">
            <TextArea required maxLength={500} {...register('reason')} />
          </Field>
        )}
        <FormFailure message={failure} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={isSubmitting && 'Recording'}>
            {action}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}

/** A button with a dialog that records an amount between the shop and a seller. It needs a recent sign-in. */
export function RecordAmount(props: RecordAmountProps) {
  const { action, variant, sellerName, description } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant={variant}
        aria-label={`${action}: ${sellerName}`}
        onClick={() => setIsOpen(true)}
      >
        {action}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={(open) => !open && !isBusy && setIsOpen(false)}
        title={action}
        description={description}
      >
        <AmountForm {...props} onBusyChange={setIsBusy} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
