import { recordSettlement, type Settlement } from '#contract/money/settlements.ts';
import { plainAmount } from '#contract/platform/money.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { EmailAddress } from '../../../../formats/email-address.tsx';
import { AmountField } from '../../../../forms/amount-field.tsx';
import { FormDialog } from '../../../../forms/request-form.tsx';
import { amountOrText } from '../../../../forms/typed-amount.ts';
import { useWriteForm } from '../../../../forms/use-write-form.ts';
import { SmallButton } from '../../../../ui/button.tsx';
import { Field, TextArea, TextInput } from '../../../../ui/field.tsx';

/** The words for each kind, with the seller's name. */
const kinds = {
  paid: {
    action: 'Mark as paid',
    description: (name: string) => `You have paid ${name} from the shop’s bank account.`,
    done: (name: string) => `The payment to ${name} is recorded.`,
  },
  repaid: {
    action: 'Record repayment',
    description: (name: string) => `The money of ${name} has arrived in the shop’s bank account.`,
    done: (name: string) => `The repayment of ${name} is recorded.`,
  },
  written_off: {
    action: 'Write off',
    description: (name: string) =>
      `The shop gives up what ${name} owes, as an expense. That cannot be undone.`,
    done: (name: string) => `The debt of ${name} is written off.`,
  },
} as const;

interface RecordSettlementProps {
  kind: Settlement['kind'];
  seller: { _id: string; sellerName: string };
  /** What is due or owed, which is typed at first. */
  amount: number;
}

/** A button with a dialog that records an amount between the shop and a seller. */
export function RecordSettlement({ kind, seller: { _id, sellerName }, amount }: RecordSettlementProps) {
  const { action, description, done } = kinds[kind];
  const form = useWriteForm(recordSettlement, {
    defaultValues: { amount: plainAmount(amount), note: '' },
    input: (values: { amount: string; note: string }) => ({
      body: { kind, sellerId: _id, amount: amountOrText(values.amount), note: values.note },
    }),
    done: done(sellerName),
  });
  return (
    <>
      <SmallButton
        variant={kind === 'written_off' ? 'quiet' : 'tinted'}
        aria-label={`${action}: ${sellerName}`}
        onClick={form.dialog.open}
      >
        {action}
      </SmallButton>
      <FormDialog
        form={form}
        title={action}
        description={description(sellerName)}
        submit={action}
        busy="Recording"
      >
        <AmountField
          control={form.control}
          name="amount"
          label="Amount"
          hint={`${formatAmount(amount)} is ${kind === 'paid' ? 'due' : 'owed'}. A part is possible.`}
          required
        />
        {kind === 'written_off' ? (
          <Field label="Reason" {...form.field('note')} hint="It is kept in the audit trail.">
            <TextArea required maxLength={500} />
          </Field>
        ) : (
          <Field
            label="Reference"
            {...form.field('note')}
            hint="The bank’s reference. The seller gets it by email, and it is recorded once."
          >
            <TextInput autoComplete="off" required maxLength={100} />
          </Field>
        )}
      </FormDialog>
    </>
  );
}

/** The column with a seller's name and email address. */
export const sellerColumn = {
  heading: 'Seller',
  lead: true,
  cell: ({ sellerName, sellerEmail }: { sellerName: string; sellerEmail: string }) => (
    <span className="block min-w-36 wrap-anywhere">
      <span className="font-semibold">{sellerName}</span>{' '}
      <span className="block text-muted text-sm">
        <EmailAddress>{sellerEmail}</EmailAddress>
      </span>
    </span>
  ),
};
