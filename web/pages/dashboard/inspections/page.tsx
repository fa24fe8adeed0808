import { href } from 'react-router';
import {
  type InspectionList,
  type InspectionListItem,
  inspectionLists,
  listInspections,
} from '#contract/certification/inspection-queue.ts';
import { isInspected } from '#contract/listings/levels.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { LevelBadge } from '../../../formats/level-badge.tsx';
import { decisionNames } from '../../../inspections/decision-names.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { PicturedName } from '../../../lists/laptop-columns.tsx';
import { ListTabs, useChosenList } from '../../../lists/list-tabs.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { Badge } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/table.tsx';

const lists: Readonly<Record<InspectionList, { name: string; empty: string; explanation: string }>> = {
  waiting: {
    name: 'Waiting',
    empty: 'Nothing waits',
    explanation:
      'Laptops appear here when their sellers have measured them, or changed an inspected listing.',
  },
  answered: {
    name: 'Sent back or refused',
    empty: 'Nothing was sent back',
    explanation: 'Laptops stay here until their sellers change the listing or measure again.',
  },
  inspected: {
    name: 'Inspected',
    empty: 'Nothing is inspected',
    explanation: 'Laptops that you approve appear here while they are for sale.',
  },
};

const columns: Column<InspectionListItem>[] = [
  {
    heading: 'Laptop',
    lead: true,
    cell: ({ _id, name, image, condition }) => (
      <PicturedName
        image={image}
        name={name}
        details={condition}
        to={href('/dashboard/inspections/:id', { id: _id })}
      />
    ),
  },
  { heading: 'Price', figures: true, cell: ({ price }) => formatAmount(price) },
  {
    heading: 'Seller',
    cell: ({ sellerName }) => <span className="block min-w-24 wrap-anywhere">{sellerName}</span>,
  },
  { heading: 'Measured', cell: ({ measuredAt }) => <DateTime at={measuredAt} /> },
  {
    heading: 'State',
    cell: (item) => (
      <span className="flex flex-col items-end gap-1.5 *:whitespace-normal @2xl:items-start">
        {/* Without its date, which would make the table wider than a tablet. */}
        <LevelBadge laptop={{ level: item.level }} />
        {item.decision !== null && !isInspected(item.level) && (
          <Badge tone="warm">{decisionNames[item.decision]} before</Badge>
        )}
      </span>
    ),
  },
];

/** The admins' queue of measured laptops. */
export default function Inspections() {
  const chosen = useChosenList(inspectionLists);
  return (
    <>
      <PageHeading title="Inspections">
        Measured laptops, the newest listing first. Each decision is recorded in the audit trail, and its
        seller is told.
      </PageHeading>
      <ListTabs
        label="Lists of inspections"
        tabs={inspectionLists.map((name) => ({ name, label: lists[name].name }))}
        chosen={chosen}
      />
      <ListTable
        endpoint={listInspections}
        parameters={{ query: { list: chosen } }}
        what="the inspections"
        columns={columns}
        emptyTitle={lists[chosen].empty}
        empty={lists[chosen].explanation}
      />
    </>
  );
}
