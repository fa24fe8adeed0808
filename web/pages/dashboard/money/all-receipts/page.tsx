import { useSearchParams } from 'react-router';
import { type IssuedReceipt, listAllReceipts } from '#contract/money/accounting.ts';
import { PageHeading } from '../../../../layout/page-heading.tsx';
import { ListTable } from '../../../../lists/list-view.tsx';
import { type Period, PeriodFields, thisMonth } from '../../../../money/period-fields.tsx';
import { numberColumn, saleColumns } from '../../../../money/receipt-columns.tsx';
import { ShopMoneyTabs } from '../../../../money/shop-money-tabs.tsx';
import { useSettings } from '../../../../session/session.tsx';
import type { Column } from '../../../../ui/table.tsx';

const columns: Column<IssuedReceipt>[] = [
  numberColumn,
  { heading: 'To', cell: ({ recipientName }) => <span className="wrap-anywhere">{recipientName}</span> },
  ...saleColumns,
];

/** The receipts of everybody in a period, for admins. */
export default function AllReceipts() {
  const { timeZone } = useSettings();
  const [search, setSearch] = useSearchParams();
  const month = thisMonth(timeZone);
  const from = search.get('from') ?? month.from;
  const until = search.get('until') ?? month.until;
  const change = (period: Period) => {
    if (period.from === '' || period.until === '') return;
    setSearch({ ...period }, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      <PageHeading title="All Receipts">
        The receipts and credit notes of a period, the newest first. Days are those of the shop’s time zone,{' '}
        {timeZone}.
      </PageHeading>
      <ShopMoneyTabs />
      <div className="mb-6 flex flex-wrap items-end gap-3">
        <PeriodFields period={{ from, until }} onChange={change} />
      </div>
      <ListTable
        endpoint={listAllReceipts}
        parameters={{ query: { from, until } }}
        what="the receipts"
        columns={columns}
        emptyTitle="No receipts"
        empty="None was issued in this period."
      />
    </>
  );
}
