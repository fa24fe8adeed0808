import { useState } from 'react';
import { type AmountDue, listSalesOfSeller } from '#contract/money/settlements.ts';
import { ListTable } from '../../../../lists/list-view.tsx';
import { useList } from '../../../../lists/use-list.ts';
import { saleColumns } from '../../../../money/sale-columns.tsx';
import { SmallButton } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { EmptyState } from '../../../../ui/states.tsx';

function Sales({ sellerId }: { sellerId: string }) {
  const sales = useList(listSalesOfSeller, { params: { _id: sellerId } });
  return (
    <ListTable
      list={sales}
      what="the seller’s sales"
      columns={saleColumns}
      empty={<EmptyState title="No sales">This seller has sold nothing.</EmptyState>}
    />
  );
}

/** A button that shows from which sales an amount comes. */
export function SalesOfSeller({ amount }: { amount: AmountDue }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <SmallButton
        variant="quiet"
        aria-label={`Sales of ${amount.sellerName}`}
        onClick={() => setIsOpen(true)}
      >
        Sales
      </SmallButton>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={`Sales of ${amount.sellerName}`}>
        <Sales sellerId={amount._id} />
      </Dialog>
    </>
  );
}
