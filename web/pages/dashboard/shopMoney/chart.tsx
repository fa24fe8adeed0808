import type { MoneyMonth } from '#contract/accounting.ts';
import { formatCents, nameOfMonth, shortNameOfMonth } from '../../../money/cents.ts';
import { type Column, Table } from '../../../ui/table.tsx';

const series = [
  { key: 'salesCents', name: 'Sales', bar: 'fill-aubergine', swatch: 'bg-aubergine' },
  { key: 'paidOutCents', name: 'Paid out', bar: 'fill-leaf', swatch: 'bg-leaf' },
  { key: 'refundsCents', name: 'Refunds', bar: 'fill-orange', swatch: 'bg-orange' },
] as const;

const HEIGHT = 160;
/** The widths of a month and of a bar in it. */
const MONTH_WIDTH = 60;
const BAR_WIDTH = 14;

/** Bars of sales, payouts and refunds by month. The table beneath has the same figures. */
export function MoneyChart({ months }: { months: readonly MoneyMonth[] }) {
  const highest = Math.max(1, ...months.flatMap((month) => series.map(({ key }) => month[key])));
  const heightOf = (cents: number) => (Math.max(0, cents) / highest) * HEIGHT;
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {series.map(({ key, name, swatch }) => (
          <span key={key} className="inline-flex items-center gap-2">
            <span aria-hidden="true" className={`size-3 rounded-sm ${swatch}`} />
            {name}
          </span>
        ))}
        <span className="text-quiet">Highest: {formatCents(highest === 1 ? 0 : highest)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label="Sales, payouts and refunds by month. The table after it has the figures."
        viewBox={`0 0 ${Math.max(6, months.length) * MONTH_WIDTH} ${HEIGHT + 24}`}
        className="h-auto w-full max-w-3xl"
      >
        <line
          x1="0"
          x2={Math.max(6, months.length) * MONTH_WIDTH}
          y1={HEIGHT}
          y2={HEIGHT}
          className="stroke-line"
        />
        {months.map((month, index) => (
          <g key={month.month} transform={`translate(${index * MONTH_WIDTH} 0)`}>
            {series.map(({ key, bar }, place) => (
              <rect
                key={key}
                x={6 + place * (BAR_WIDTH + 2)}
                width={BAR_WIDTH}
                y={HEIGHT - heightOf(month[key])}
                height={heightOf(month[key])}
                rx="2"
                className={bar}
              />
            ))}
            <text
              x={6 + 1.5 * BAR_WIDTH + 2}
              y={HEIGHT + 18}
              textAnchor="middle"
              className="fill-quiet text-xs"
            >
              {shortNameOfMonth(month.month)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

const columns: Column<MoneyMonth>[] = [
  {
    heading: 'Month',
    lead: true,
    cell: ({ month }) => <span className="font-semibold">{nameOfMonth(month)}</span>,
  },
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
