import { href, Link } from 'react-router';
import { listReceipts, type ReceiptEntry } from '#contract/accounting.ts';
import { formatDollars } from '#contract/scalars.ts';
import { ShopDay } from '../../../formats/date-time.tsx';
import { today } from '../../../formats/shop-days.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { receiptNames } from '../../../money/receipt-names.ts';
import { useRoles } from '../../../session/roles.ts';
import { useApi, usePerson, useSettings } from '../../../session/session.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

export const meta = () => privateMeta('Receipts');

type Row = ReceiptEntry & { _id: string };

const columns: Column<Row>[] = [
  {
    heading: 'Number',
    lead: true,
    cell: ({ number, kind }) => (
      <Link to={href('/dashboard/receipt/:number', { number })} className="block hover:underline">
        <span className="block font-semibold">{receiptNames[kind]}</span>
        <span className="figures text-quiet text-sm">{number}</span>
      </Link>
    ),
  },
  {
    heading: 'Laptop',
    cell: ({ productName }) => <span className="wrap-anywhere">{productName}</span>,
  },
  { heading: 'Date', cell: ({ date }) => <ShopDay date={date} /> },
  { heading: 'Amount', figures: true, cell: ({ amount }) => formatDollars(amount) },
];

/** The signed-in user's receipts, and a seller's way to the statements. */
export default function Receipts() {
  const api = useApi();
  const roles = useRoles();
  const { email } = usePerson();
  const { timeZone } = useSettings();
  const receipts = useList(['receipts', email], async (query, signal) => {
    const { items, next } = await api.page(listReceipts, { query, signal });
    return { items: items.map((entry): Row => ({ ...entry, _id: entry.number })), next };
  });
  const isSeller = roles.status === 'known' && roles.isSeller;
  return (
    <>
      <PageHeading
        title="Receipts"
        action={
          isSeller && (
            <LinkButton
              variant="secondary"
              to={href('/dashboard/statement/:month', { month: today(timeZone).slice(0, 7) })}
            >
              Monthly statement
            </LinkButton>
          )
        }
      >
        For each purchase, commission and refund, the newest first.
      </PageHeading>
      <ListTable
        list={receipts}
        what="your receipts"
        columns={columns}
        empty={
          <EmptyState title="No receipts yet">
            A receipt appears here when you have paid for a laptop, and a commission note when the money of a
            sale is yours.
          </EmptyState>
        }
      />
    </>
  );
}
