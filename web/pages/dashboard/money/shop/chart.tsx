import type { MoneyMonth } from '#contract/money/accounting.ts';
import { formatCents } from '#contract/platform/money.ts';
import { utcMonth } from '../../../../formats/utc-dates.ts';
import { type Column, nameColumn, Table } from '../../../../ui/table.tsx';

const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** In how many months money must have moved for a chart: fewer are some bars in an empty frame. */
const FEWEST_IN_CHART = 3;
/** The months of the chart. Fewer stand on the right, where the newest is expected. */
const MONTHS = 12;
/** The units of the drawing, which is stretched to the width of the page: a month, a bar in it, and the highest bar. */
const [MONTH_WIDTH, BAR_WIDTH, HEIGHT] = [60, 15, 160];

/** The bars of each month. */
const series = [
  { name: 'Sales', key: 'salesCents', color: 'text-accent' },
  { name: 'Paid out', key: 'paidOutCents', color: 'text-success' },
  { name: 'Refunds', key: 'refundsCents', color: 'text-primary' },
] as const;

/** Bars of sales, payouts and refunds by month, from three months on. The table beneath has the same figures. */
export function MoneyChart({ months }: { months: readonly MoneyMonth[] }) {
  if (months.length < FEWEST_IN_CHART) return null;
  const highest = Math.max(0, ...months.flatMap((month) => series.map(({ key }) => month[key])));
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {series.map(({ name, color }) => (
          <span key={name} className="inline-flex items-center gap-2">
            <span aria-hidden="true" className={`size-3 rounded-sm bg-current ${color}`} />
            {name}
          </span>
        ))}
        <span className="text-muted">Highest: {formatCents(highest)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label="Sales, payouts and refunds by month. The table after it has the figures."
        viewBox={`0 0 ${MONTHS * MONTH_WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full border-border border-b"
      >
        {months.map((month, index) =>
          series.map(({ key, color }, place) => {
            const height = (Math.max(0, month[key]) / Math.max(1, highest)) * HEIGHT;
            return (
              <rect
                key={`${month.month} ${key}`}
                className={`fill-current ${color}`}
                x={(MONTHS - months.length + index) * MONTH_WIDTH + 7 + place * BAR_WIDTH}
                width={BAR_WIDTH - 2}
                y={HEIGHT - height}
                height={height}
              />
            );
          }),
        )}
      </svg>
      <ol
        aria-hidden="true"
        dir="rtl"
        className="mt-1 grid grid-cols-12 text-center text-[min(0.75rem,3.4vw)] text-muted"
      >
        {months.toReversed().map(({ month }) => (
          <li key={month} dir="ltr">
            {shortMonth.format(new Date(`${month}-01T00:00:00Z`))}
          </li>
        ))}
      </ol>
    </figure>
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
