import { href, Link, useSearchParams } from 'react-router';
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
import { ListTabs } from '../../../lists/list-tabs.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { orderDeadline, orderStateLabels } from '../../../orders/order-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
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

const thumbnail = 'h-[60px] w-[80px] shrink-0 rounded-lg object-cover';

const columns: Column<ComplaintItem>[] = [
  {
    heading: 'Complaint',
    lead: true,
    cell: ({ orderId, kind, productName, image }) => (
      <span className="relative flex items-center gap-4">
        {image === '' ? (
          <span className={`bg-photo ${thumbnail}`} />
        ) : (
          <Photo url={image} alt="" sizes="80px" className={thumbnail} />
        )}
        <span className="min-w-20">
          <Link
            to={href('/dashboard/order/:id', { id: orderId })}
            className="font-semibold leading-snug wrap-anywhere after:absolute after:inset-0 hover:underline"
          >
            {productName}
          </Link>
          <span className="mt-0.5 block text-muted text-sm">{complaintKinds[kind]}</span>
        </span>
      </span>
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
      const { label, tone } = orderStateLabels[state];
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

/** The admins' list of complaints. */
export default function ComplaintsPage() {
  const [parameters] = useSearchParams();
  const chosen = complaintLists.find((name) => name === parameters.get('list')) ?? 'open';
  const complaints = useList(listComplaints, { query: { list: chosen } });
  return (
    <>
      <PageHeading title="Complaints">
        Buyers’ complaints about their orders. Those that you have to decide come first. Each decision is
        recorded in the audit trail, and both sides are told.
      </PageHeading>
      <ListTabs
        label="Lists of complaints"
        tabs={complaintLists.map((name) => ({ name, label: lists[name].label }))}
        chosen={chosen}
      />
      <ListTable
        list={complaints}
        what="the complaints"
        columns={columns}
        empty={<EmptyState title={lists[chosen].empty}>{lists[chosen].explanation}</EmptyState>}
      />
      <LateParcels />
      <WaitingRefunds />
    </>
  );
}
