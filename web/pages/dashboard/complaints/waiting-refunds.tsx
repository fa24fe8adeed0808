import { formatAmount } from '#contract/platform/scalars.ts';
import { listWaitingRefunds, payWaitingRefund, type WaitingRefund } from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { ConfirmedWrite } from '../../../forms/confirmed-write.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
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

const columns: Column<WaitingRefund>[] = [
  {
    heading: 'Order',
    lead: true,
    cell: ({ orderId, productName, buyerName, sellerName }) => (
      <OrderBetween id={orderId} productName={productName} buyerName={buyerName} sellerName={sellerName} />
    ),
  },
  { heading: 'Waits', figures: true, cell: ({ amount }) => formatAmount(amount) },
  { heading: 'Why', cell: ({ why }) => <span className="block max-w-xs">{why}</span> },
  { heading: 'Since', cell: ({ since }) => <DateTime at={since} /> },
  { heading: 'Decision', cell: (refund) => <PayNow refund={refund} /> },
];

/** The refunds that wait until the money is back from the seller, each with the decision to pay it now. */
export function WaitingRefunds() {
  const refunds = useList(listWaitingRefunds);
  return (
    <Section title="Refunds that wait" heading="text-2xl" className="mt-10">
      <p className="mt-2 mb-4 max-w-prose text-muted">
        The seller was paid before the refund was decided. Each goes on by itself when the money comes back:
        from the seller’s account, with the seller’s next sales, or when the seller pays it.
      </p>
      <ListTable
        list={refunds}
        what="the refunds that wait"
        columns={columns}
        emptyTitle="No refund waits"
        empty="Refunds that wait for a seller’s money appear here."
      />
    </Section>
  );
}
