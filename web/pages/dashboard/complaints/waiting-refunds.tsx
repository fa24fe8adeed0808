import { formatAmount } from '#contract/platform/scalars.ts';
import {
  listWaitingRefunds,
  payRefundByHand,
  payWaitingRefund,
  type WaitingRefund,
} from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { ConfirmedWrite } from '../../../forms/write-button.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Section } from '../../../ui/section.tsx';
import type { Column } from '../../../ui/table.tsx';
import { OrderBetween } from './order-between.tsx';

const PayNow = ({ refund: { _id, amount, buyerName, sellerName } }: { refund: WaitingRefund }) => (
  <ConfirmedWrite
    endpoint={payWaitingRefund}
    input={{ params: { _id } }}
    label="Pay it from the shop’s money now"
    variant="secondary"
    size="small"
    title="Pay it now?"
    message={`${buyerName} gets ${formatAmount(amount)} from the shop’s own balance. ${sellerName} keeps owing it to the shop. The audit trail records it.`}
    yes="Yes, pay it"
    busy="Paying"
    no="Not now"
    done={({ modifiedCount }) =>
      modifiedCount === 0 ? 'This refund does not wait any more.' : 'The refund is on its way.'
    }
  />
);

/** A button with a dialog that records that the shop paid a failed refund from its bank account. */
function PaidByHand({ refund: { _id, amount, buyerName } }: { refund: WaitingRefund }) {
  const form = useWriteForm(payRefundByHand, {
    defaultValues: { reference: '' },
    input: (body: { reference: string }) => ({ params: { _id }, body }),
    done: ({ modifiedCount }) =>
      modifiedCount === 0 ? 'This refund is not failed any more.' : 'It is recorded.',
  });
  return (
    <>
      <SmallButton aria-label={`Paid by hand: ${buyerName}`} onClick={form.dialog.open}>
        Paid by hand
      </SmallButton>
      <FormDialog
        form={form}
        title="Paid by hand"
        description={`Record that you paid ${formatAmount(amount)} to ${buyerName} from the shop’s bank account. The refund is then not tried again. This cannot be undone.`}
        submit="Paid by hand"
        busy="Recording"
      >
        <Field
          label="Reference"
          {...form.field('reference')}
          hint="The bank’s reference. It is kept in the audit trail."
        >
          <TextInput autoComplete="off" required maxLength={100} />
        </Field>
      </FormDialog>
    </>
  );
}

const columns: Column<WaitingRefund>[] = [
  { heading: 'Order', lead: true, cell: (refund) => <OrderBetween id={refund.orderId} sale={refund} /> },
  { heading: 'Due', figures: true, cell: ({ amount }) => formatAmount(amount) },
  { heading: 'Why', cell: ({ why }) => <span className="block max-w-xs">{why}</span> },
  { heading: 'Since', cell: ({ since }) => <DateTime at={since} /> },
  {
    heading: 'Decision',
    cell: (refund) => {
      if (refund.isWithheld) return 'After the bank’s decision';
      return refund.isFailed ? <PaidByHand refund={refund} /> : <PayNow refund={refund} />;
    },
  },
];

/** The refunds that wait until the money is back from the seller or failed, each with what an admin can do. */
export function WaitingRefunds() {
  return (
    <Section
      title="Refunds that wait"
      heading="text-2xl"
      className="mt-10"
      hint="When the seller was paid before the refund was decided, it goes on by itself when the money comes back: from the seller’s account, with the seller’s next sales, or when the seller pays it. One that failed is still the buyer’s: have it tried again, or pay the buyer another way."
    >
      <ListTable
        endpoint={listWaitingRefunds}
        what="the refunds that wait"
        columns={columns}
        emptyTitle="No refund waits"
        empty="Refunds that wait for a seller’s money, or failed, appear here."
      />
    </Section>
  );
}
