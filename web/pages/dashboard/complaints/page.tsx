import { href } from 'react-router';
import { formatAmount } from '#contract/platform/scalars.ts';
import {
  type ComplaintItem,
  complaintKinds,
  complaintLists,
  listComplaints,
} from '#contract/sales/complaints.ts';
import { LATE_DAYS, type LateParcel, listLateParcels } from '#contract/sales/shipping.ts';
import { DateTime, Day } from '../../../formats/date-time.tsx';
import { ratedName } from '../../../formats/rating.ts';
import { SellerName } from '../../../formats/seller-name.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { PicturedName } from '../../../lists/laptop-columns.tsx';
import { ListTabs, useChosenList } from '../../../lists/list-tabs.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { OrderStateCell } from '../../../orders/order-state.tsx';
import { useRights } from '../../../session/roles.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Section } from '../../../ui/section.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Claims } from './insurance-claims.tsx';
import { OrderBetween } from './order-between.tsx';
import { WaitingRefunds } from './waiting-refunds.tsx';

const lists = {
  open: {
    label: 'Open',
    empty: 'No complaint is open',
    explanation:
      'When a buyer complains about an order, it appears here. You decide those that both contest.',
  },
  closed: {
    label: 'Settled',
    empty: 'No complaint is settled yet',
    explanation: 'Complaints move here when they are taken back, agreed on or decided.',
  },
} as const;

const columns: Column<ComplaintItem>[] = [
  {
    heading: 'Complaint',
    lead: true,
    cell: ({ orderId, kind, productName, image }) => (
      <PicturedName
        image={image}
        name={productName}
        details={complaintKinds[kind]}
        to={href('/dashboard/order/:id', { id: orderId })}
      />
    ),
  },
  { heading: 'Price', figures: true, cell: ({ price }) => formatAmount(price) },
  {
    heading: 'Buyer and seller',
    cell: ({ buyerName, buyerRating, sellerName, sellerId, sellerRating }) => (
      <span className="block text-right wrap-anywhere @2xl:text-left">
        {ratedName(buyerName, buyerRating)}
        <span className="block text-muted text-sm">
          bought from <SellerName name={sellerName} id={sellerId} rating={sellerRating} />
        </span>
      </span>
    ),
  },
  { heading: 'Complained', cell: ({ complainedAt }) => <DateTime at={complainedAt} /> },
  { heading: 'State', cell: (complaint) => <OrderStateCell order={complaint} /> },
];

const parcelColumns: Column<LateParcel>[] = [
  { heading: 'Order', lead: true, cell: (parcel) => <OrderBetween id={parcel._id} sale={parcel} /> },
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
function LateParcels() {
  return (
    <Section
      title="Late parcels"
      heading="text-2xl"
      className="mt-10"
      hint="Not sent, or not arrived, and the price goes back by itself soon. The seller was reminded, and of a parcel on its way the buyer, too. If a carrier’s proof reaches you, decide on the order that the parcel was delivered. A parcel arrived too late when the money had gone the other way: see on the order that the laptop comes back, or refund a return that its seller has."
    >
      <ListTable
        endpoint={listLateParcels}
        what="the late parcels"
        columns={parcelColumns}
        emptyTitle="No parcel is late"
        empty={`Parcels appear here ${LATE_DAYS} days before their price goes back.`}
      />
    </Section>
  );
}

/** The complaints and parcels that an admin with the right for it decides about. */
function ComplaintLists() {
  const chosen = useChosenList(complaintLists);
  return (
    <>
      <ListTabs
        label="Lists of complaints"
        tabs={complaintLists.map((name) => ({ name, label: lists[name].label }))}
        chosen={chosen}
      />
      <ListTable
        endpoint={listComplaints}
        parameters={{ query: { list: chosen } }}
        what="the complaints"
        columns={columns}
        emptyTitle={lists[chosen].empty}
        empty={lists[chosen].explanation}
      />
      <LateParcels />
    </>
  );
}

/** The admins' list of complaints, and of the refunds that wait. */
export default function ComplaintsPage() {
  const isFor = useRights();
  return (
    <>
      <PageHeading title="Complaints">
        Buyers’ complaints about their orders. Those that you have to decide come first. Each decision is
        recorded in the audit trail, and both sides are told.
      </PageHeading>
      {isFor('complaints') && <ComplaintLists />}
      {isFor('money') && <Claims />}
      {isFor('money') && <WaitingRefunds />}
    </>
  );
}
