import type { ComponentProps } from 'react';
import { type Debt, listDebts, recordRepayment, writeOffDebt } from '#contract/money/settlements.ts';
import type { Callable } from '#contract/platform/client.ts';
import { plainAmount } from '#contract/platform/money.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { EmailAddress } from '../../../../formats/email-address.tsx';
import { AmountField } from '../../../../forms/amount-field.tsx';
import { FormDialog } from '../../../../forms/request-form.tsx';
import { amountOrText } from '../../../../forms/typed-amount.ts';
import { type FormInput, useWriteForm } from '../../../../forms/use-write-form.ts';
import { ListTable } from '../../../../lists/list-view.tsx';
import { type Button, SmallButton } from '../../../../ui/button.tsx';
import { Field, TextArea, TextInput } from '../../../../ui/field.tsx';
import { Section } from '../../../../ui/section.tsx';
import { actionColumn, type Column } from '../../../../ui/table.tsx';

interface Values {
  /** MoneyAmount, as typed in the form and as a request has them in `input`. */
  amount: string;
  /** Empty when a reason is asked for. */
  reference: string;
  /** Empty when a reference is asked for. */
  reason: string;
}

interface RecordAmountProps<E extends Callable> {
  /** The text of both buttons and the dialog's title. */
  action: string;
  variant: ComponentProps<typeof Button>['variant'];
  sellerName: string;
  description: string;
  /** The amount that is typed at first. */
  amount: number;
  amountHint: string;
  /** What is asked for beside the amount: the bank's reference, or a reason for the audit trail. */
  asksFor: 'reference' | 'reason';
  endpoint: E;
  input: (values: Values) => FormInput<E>;
  /** What the toast says afterwards. */
  done: string;
}

/** A button with a dialog that records an amount between the shop and a seller. */
export function RecordAmount<E extends Callable>(props: RecordAmountProps<E>) {
  const { action, variant, sellerName, description, amount, amountHint, asksFor } = props;
  const form = useWriteForm(props.endpoint, {
    defaultValues: { amount: plainAmount(amount), reference: '', reason: '' },
    input: (values: Values) => props.input({ ...values, amount: amountOrText(values.amount) }),
    done: props.done,
  });
  return (
    <>
      <SmallButton variant={variant} aria-label={`${action}: ${sellerName}`} onClick={form.dialog.open}>
        {action}
      </SmallButton>
      <FormDialog form={form} title={action} description={description} submit={action} busy="Recording">
        <AmountField control={form.control} name="amount" label="Amount" hint={amountHint} required />
        {asksFor === 'reference' ? (
          <Field
            label="Reference"
            {...form.field('reference')}
            hint="The bank’s reference. The seller gets it by email, and it is recorded once."
          >
            <TextInput autoComplete="off" required maxLength={100} />
          </Field>
        ) : (
          <Field label="Reason" {...form.field('reason')} hint="It is kept in the audit trail.">
            <TextArea required maxLength={500} />
          </Field>
        )}
      </FormDialog>
    </>
  );
}

/** Records what a seller has paid back, or gives up what a seller owes. */
function ReduceDebt({ debt: { _id: sellerId, sellerName, owed } }: { debt: Debt }) {
  const amountHint = `${formatAmount(owed)} is owed. A part is possible.`;
  const common = { sellerName, amount: owed, amountHint };
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <RecordAmount
        {...common}
        action="Write off"
        variant="quiet"
        description={`The shop gives up what ${sellerName} owes, as an expense. That cannot be undone.`}
        asksFor="reason"
        endpoint={writeOffDebt}
        input={({ amount, reason }) => ({ body: { sellerId, amount, reason } })}
        done={`The debt of ${sellerName} is written off.`}
      />
      <RecordAmount
        {...common}
        action="Record repayment"
        variant="tinted"
        description={`The money of ${sellerName} has arrived in the shop’s bank account.`}
        asksFor="reference"
        endpoint={recordRepayment}
        input={({ amount, reference }) => ({ body: { sellerId, amount, reference } })}
        done={`The repayment of ${sellerName} is recorded.`}
      />
    </span>
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

const debtColumns: Column<Debt>[] = [
  sellerColumn,
  {
    heading: 'Owed',
    figures: true,
    cell: ({ owed }) => <strong className="font-semibold">{formatAmount(owed)}</strong>,
  },
  actionColumn((debt) => <ReduceDebt debt={debt} />),
];

/** The sellers who owe the shop. */
export const Debts = () => (
  <Section
    title="Sellers who owe the shop"
    id="debts"
    hint="Money went back to a buyer after it had been paid to the seller. The next sales pay it, unless the seller repays it to the shop’s bank account."
  >
    <ListTable
      endpoint={listDebts}
      what="the debts"
      columns={debtColumns}
      emptyTitle="Nobody owes the shop"
      empty="Debts of sellers appear here."
    />
  </Section>
);
