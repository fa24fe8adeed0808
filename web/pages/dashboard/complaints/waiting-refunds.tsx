import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { formatDollars } from '#contract/platform/scalars.ts';
import { listWaitingRefunds, payWaitingRefund, type WaitingRefund } from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toast.tsx';

const listKey = ['orders', 'waitingRefunds'];

function PayNow({ refund: { _id, amount, buyerName, sellerName } }: { refund: WaitingRefund }) {
  const api = useApi();
  const cache = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const payment = useMutation({
    mutationFn: () => api.call(payWaitingRefund, { params: { _id } }),
    onSuccess: ({ modifiedCount }) =>
      modifiedCount === 0
        ? toast.success('This refund does not wait any more.')
        : toast.success('The refund is on its way.'),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: async () => {
      await cache.invalidateQueries({ queryKey: ['orders'] });
      setIsAsking(false);
    },
  });
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setIsAsking(true)}>
        Pay it from the shop’s money now
      </Button>
      <AlertDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Pay it now?"
        message={`${buyerName} gets ${formatDollars(amount)} from the shop’s own balance. ${sellerName} keeps owing it to the shop. The audit trail records it.`}
        closeLabel="Not now"
        confirm={{
          label: 'Yes, pay it',
          busy: payment.isPending && 'Paying',
          onConfirm: () => payment.mutate(),
        }}
      />
    </>
  );
}

const columns: Column<WaitingRefund>[] = [
  {
    heading: 'Order',
    lead: true,
    cell: ({ orderId, productName, buyerName, sellerName }) => (
      <span className="min-w-20">
        <Link
          to={href('/dashboard/order/:id', { id: orderId })}
          className="font-semibold leading-snug wrap-anywhere hover:underline"
        >
          {productName}
        </Link>
        <span className="mt-0.5 block text-muted text-sm wrap-anywhere">
          {buyerName} bought from {sellerName}
        </span>
      </span>
    ),
  },
  { heading: 'Waits', figures: true, cell: ({ amount }) => formatDollars(amount) },
  { heading: 'Why', cell: ({ why }) => <span className="block max-w-xs">{why}</span> },
  { heading: 'Since', cell: ({ since }) => <DateTime at={since} /> },
  { heading: 'Decision', cell: (refund) => <PayNow refund={refund} /> },
];

/** The refunds that wait until the money is back from the seller, each with the decision to pay it now. */
export function WaitingRefunds() {
  const api = useApi();
  const refunds = useList(listKey, (query, signal) => api.page(listWaitingRefunds, { query, signal }));
  return (
    <section aria-labelledby="waiting-refunds" className="mt-10">
      <h2 id="waiting-refunds" className="text-2xl">
        Refunds that wait
      </h2>
      <p className="mt-2 mb-4 max-w-prose text-muted">
        The seller was paid before the refund was decided. Each goes on by itself when the money comes back:
        from the seller’s account, with the seller’s next sales, or when the seller pays it.
      </p>
      <ListTable
        list={refunds}
        what="the refunds that wait"
        columns={columns}
        empty={
          <EmptyState title="No refund waits">Refunds that wait for a seller’s money appear here.</EmptyState>
        }
      />
    </section>
  );
}
