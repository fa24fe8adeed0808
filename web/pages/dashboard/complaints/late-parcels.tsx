import { LATE_DAYS, type LateParcel, listLateParcels } from '#contract/sales/shipping.ts';
import { Day } from '../../../formats/date-time.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Section } from '../../../ui/section.tsx';
import type { Column } from '../../../ui/table.tsx';
import { OrderBetween } from './order-between.tsx';

const columns: Column<LateParcel>[] = [
  {
    heading: 'Order',
    lead: true,
    cell: ({ _id, productName, buyerName, sellerName }) => (
      <OrderBetween id={_id} productName={productName} buyerName={buyerName} sellerName={sellerName} />
    ),
  },
  {
    heading: 'State',
    cell: ({ state }) => {
      if (state === 'to_ship') return <Badge tone="warm">Not sent</Badge>;
      return <Badge tone="bad">{state === 'shipped' ? 'Not arrived' : 'Arrived too late'}</Badge>;
    },
  },
  { heading: 'Since', cell: ({ since }) => <Day at={since} /> },
  { heading: 'Money back on', cell: ({ dueAt }) => dueAt !== null && <Day at={dueAt} /> },
];

/** The orders whose parcel is not sent or has not arrived, shortly before the price goes back by itself. */
export function LateParcels() {
  const parcels = useList(listLateParcels);
  return (
    <Section title="Late parcels" heading="text-2xl" className="mt-10">
      <p className="mt-2 mb-4 max-w-prose text-muted">
        Not sent, or not arrived, and the price goes back by itself soon. The seller was reminded, and of a
        parcel on its way the buyer, too. If a carrier’s proof reaches you, decide on the order that the
        parcel was delivered. A parcel arrived too late when the money had gone the other way: see on the
        order that the laptop comes back, or refund a return that its seller has.
      </p>
      <ListTable
        list={parcels}
        what="the late parcels"
        columns={columns}
        emptyTitle="No parcel is late"
        empty={`Parcels appear here ${LATE_DAYS} days before their price goes back.`}
      />
    </Section>
  );
}
