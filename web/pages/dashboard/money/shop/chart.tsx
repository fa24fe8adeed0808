import type { MoneyMonth } from '#contract/money/accounting.ts';
import { formatCents } from '#contract/platform/money.ts';
import { utcMonth } from '../../../../formats/utc-dates.ts';
import { BarChart, FEWEST_IN_CHART } from '../../../../money/bar-chart.tsx';
import { type Column, nameColumn, Table } from '../../../../ui/table.tsx';

const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** Bars of sales, payouts and refunds by month, from three months on. The table beneath has the same figures. */
export function MoneyChart({ months }: { months: readonly MoneyMonth[] }) {
  if (months.length < FEWEST_IN_CHART) return null;
  return (
    <BarChart
      label="Sales, payouts and refunds by month. The table after it has the figures."
      series={[
        { name: 'Sales', color: 'text-accent' },
        { name: 'Paid out', color: 'text-success' },
        { name: 'Refunds', color: 'text-primary' },
      ]}
      periods={months.map(({ month, salesCents, paidOutCents, refundsCents }) => ({
        key: month,
        values: [salesCents, paidOutCents, refundsCents],
      }))}
      format={formatCents}
    >
      <ol dir="rtl" className="mt-1 grid grid-cols-12 text-center text-[min(0.75rem,3.4vw)] text-muted">
        {months.toReversed().map(({ month }) => (
          <li key={month} dir="ltr">
            {shortMonth.format(new Date(`${month}-01T00:00:00Z`))}
          </li>
        ))}
      </ol>
    </BarChart>
  );
}

const columns: Column<MoneyMonth>[] = [
  nameColumn('Month', ({ month }) => utcMonth(month)),
  { heading: 'Sales', figures: true, cell: ({ salesCents }) => formatCents(salesCents) },
  { heading: 'Refunds', figures: true, cell: ({ refundsCents }) => formatCents(refundsCents) },
  { heading: 'Paid out', figures: true, cell: ({ paidOutCents }) => formatCents(paidOutCents) },
  { heading: 'Commission', figures: true, cell: ({ commissionCents }) => formatCents(commissionCents) },
  { heading: 'Fees', figures: true, cell: ({ feesCents }) => formatCents(feesCents) },
];

/** The figures of the chart, the newest month first. */
export function MonthsTable({ months }: { months: readonly MoneyMonth[] }) {
  return (
    <Table
      caption="The shop’s money by month"
      columns={columns}
      rows={months.toReversed()}
      rowKey={({ month }) => month}
    />
  );
}
