import type { ComponentProps } from 'react';
import type { Callable } from '#contract/platform/client.ts';
import { plainAmount } from '#contract/platform/money.ts';
import { AmountField } from '../../../../forms/amount-field.tsx';
import { FormDialog } from '../../../../forms/request-form.tsx';
import { amountOrText } from '../../../../forms/typed-amount.ts';
import { type FormInput, useWriteForm } from '../../../../forms/use-write-form.ts';
import { type Button, SmallButton } from '../../../../ui/button.tsx';
import { Field, TextArea, TextInput } from '../../../../ui/field.tsx';

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
