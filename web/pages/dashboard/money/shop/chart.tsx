import type { MoneyMonth } from '#contract/money/accounting.ts';
import { formatCents } from '#contract/platform/money.ts';
import { utcMonth } from '../../../../formats/utc-dates.ts';
import { shortNameOfMonth } from '../../../../money/cents.ts';
import { FEWEST_IN_CHART } from '../../../../money/fewest-in-chart.ts';
import { type Column, nameColumn, Table } from '../../../../ui/table.tsx';

const series = [
  { key: 'salesCents', name: 'Sales', bar: 'fill-accent', swatch: 'bg-accent' },
  { key: 'paidOutCents', name: 'Paid out', bar: 'fill-success', swatch: 'bg-success' },
  { key: 'refundsCents', name: 'Refunds', bar: 'fill-primary', swatch: 'bg-primary' },
] as const;

/** The months that the server sends at most. Fewer stand on the right, where the newest is expected. */
const MONTHS = 12;
/** The units of the drawing, which is stretched to the width of the page: a month, a bar in it, and the highest bar. */
const MONTH_WIDTH = 60;
const BAR_WIDTH = 14;
const HEIGHT = 160;

/** Bars of sales, payouts and refunds by month, from three months on. The table beneath has the same figures. */
export function MoneyChart({ months }: { months: readonly MoneyMonth[] }) {
  if (months.length < FEWEST_IN_CHART) return null;
  const highest = Math.max(0, ...months.flatMap((month) => series.map(({ key }) => month[key])));
  const heightOf = (cents: number) => (Math.max(0, cents) / Math.max(1, highest)) * HEIGHT;
  const empty = MONTHS - months.length;
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {series.map(({ key, name, swatch }) => (
          <span key={key} className="inline-flex items-center gap-2">
            <span aria-hidden="true" className={`size-3 rounded-sm ${swatch}`} />
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
        {months.map((month, index) => (
          <g key={month.month} transform={`translate(${(empty + index) * MONTH_WIDTH} 0)`}>
            {series.map(({ key, bar }, place) => (
              <rect
                key={key}
                x={7 + place * (BAR_WIDTH + 2)}
                width={BAR_WIDTH}
                y={HEIGHT - heightOf(month[key])}
                height={heightOf(month[key])}
                className={bar}
              />
            ))}
          </g>
        ))}
      </svg>
      <ol
        aria-hidden="true"
        dir="rtl"
        className="mt-1 grid grid-cols-12 text-center text-[min(0.75rem,3.4vw)] text-muted"
      >
        {months.toReversed().map(({ month }) => (
          <li key={month} dir="ltr">
            {shortNameOfMonth(month)}
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
