import { href } from 'react-router';
import { formatAmount } from '#contract/platform/scalars.ts';
import {
  type ComplaintItem,
  complaintKinds,
  complaintLists,
  listComplaints,
} from '#contract/sales/complaints.ts';
import { DateTime, Day } from '../../../formats/date-time.tsx';
import { ratedName } from '../../../formats/rating.ts';
import { SellerName } from '../../../formats/seller-name.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { PicturedName } from '../../../lists/laptop-columns.tsx';
import { ListTabs, useChosenList } from '../../../lists/list-tabs.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { orderDeadline, orderStateLabel } from '../../../orders/order-texts.ts';
import { useRights } from '../../../session/roles.ts';
import { Badge } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Claims } from './claims.tsx';
import { LateParcels } from './late-parcels.tsx';
import { WaitingRefunds } from './waiting-refunds.tsx';

export const meta = privateMeta('Complaints');

const lists = {
  open: {
    label: 'Open',
    empty: 'No complaint is open',
    explanation:
      'When a buyer complains about an order, it appears here. You decide those that both contest.',
  },
  settled: {
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
  {
    heading: 'State',
    cell: ({ state, dueAt }) => {
      const { label, tone } = orderStateLabel({ state, role: 'admin' });
      const deadline = orderDeadline({ state, role: 'admin' });
      return (
        <span className="flex max-w-xs flex-col items-end gap-1.5 text-right @2xl:items-start @2xl:text-left">
          <Badge tone={tone}>{label}</Badge>
          {dueAt !== null && deadline !== undefined && (
            <span className="text-muted text-sm">
              {deadline} <Day at={dueAt} />
            </span>
          )}
        </span>
      );
    },
  },
];

/** The complaints and parcels that an admin with the right for it decides about. */
function ComplaintLists() {
  const chosen = useChosenList(complaintLists);
  const complaints = useList(listComplaints, { query: { list: chosen } });
  return (
    <>
      <ListTabs
        label="Lists of complaints"
        tabs={complaintLists.map((name) => ({ name, label: lists[name].label }))}
        chosen={chosen}
      />
      <ListTable
        list={complaints}
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
