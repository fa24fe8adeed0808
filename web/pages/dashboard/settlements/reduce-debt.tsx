import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Problem } from '#contract/client.ts';
import { formatDollars } from '#contract/scalars.ts';
import { type Debt, recordRepayment, writeOffDebt } from '#contract/settlements.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { useRecentSignIn } from '../../../forms/recent-sign-in.tsx';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DollarInput, Field, FormFailure, TextArea, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

/** A retry after a lost response records the amount once. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

interface ReduceDebtProps {
  debt: Debt;
  kind: 'repaid' | 'written_off';
  /** Refetches the lists. */
  refresh: () => Promise<void>;
}

const texts = {
  repaid: {
    action: 'Record repayment',
    done: (name: string) => `The repayment of ${name} is recorded.`,
    description: (name: string) => `The money of ${name} has arrived in the shop’s bank account.`,
  },
  written_off: {
    action: 'Write off',
    done: (name: string) => `The debt of ${name} is written off.`,
    description: (name: string) =>
      `The shop gives up what ${name} owes, as an expense. That cannot be undone.`,
  },
} as const;

interface FormProps extends ReduceDebtProps {
  onBusyChange: (busy: boolean) => void;
  onClose: () => void;
}

function DebtForm({ debt: { _id, sellerName, owed }, kind, refresh, onBusyChange, onClose }: FormProps) {
  const api = useApi();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { amount: owed.toFixed(2), reference: '', reason: '' } });
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ amount, reference, reason }) => {
    setFailure(null);
    onBusyChange(true);
    const common = { sellerId: _id, amount };
    try {
      await withRecentSignIn(() =>
        kind === 'repaid'
          ? idempotencyKeys.send(`repaid:${_id}`, { ...common, reference }, ({ idempotencyKey }) =>
              api.call(recordRepayment, { body: { ...common, reference }, idempotencyKey }),
            )
          : idempotencyKeys.send(`written-off:${_id}`, { ...common, reason }, ({ idempotencyKey }) =>
              api.call(writeOffDebt, { body: { ...common, reason }, idempotencyKey }),
            ),
      );
      toast.success(texts[kind].done(sellerName));
      onClose();
      void refresh();
    } catch (error) {
      setFailure(applyProblem(form, error));
      // The debt has changed meanwhile.
      if (error instanceof Problem && error.code === 'more_than_owed') void refresh();
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
          hint={`${formatDollars(owed)} is owed. A part is possible.`}
        >
          <DollarInput required {...register('amount')} />
        </Field>
        {kind === 'repaid' ? (
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
            {texts[kind].action}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}

/** A button with a dialog that records a repayment, or writes a debt off. */
export function ReduceDebt({ debt, kind, refresh }: ReduceDebtProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const { action, description } = texts[kind];
  return (
    <>
      <Button
        size="small"
        variant={kind === 'repaid' ? 'tinted' : 'quiet'}
        aria-label={`${action}: ${debt.sellerName}`}
        onClick={() => setIsOpen(true)}
      >
        {action}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={(open) => !open && !isBusy && setIsOpen(false)}
        title={action}
        description={description(debt.sellerName)}
      >
        <DebtForm
          debt={debt}
          kind={kind}
          refresh={refresh}
          onBusyChange={setIsBusy}
          onClose={() => setIsOpen(false)}
        />
      </Dialog>
    </>
  );
}
