import { Link } from 'react-router';
import type { Sale } from '#contract/money/payouts.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { DateTime, Day } from '../formats/date-time.tsx';
import { Badge } from '../ui/badge.tsx';
import type { Column } from '../ui/table.tsx';

const states = {
  held: { tone: 'warm', label: 'Held by the shop' },
  disputed: { tone: 'bad', label: 'The bank decides' },
  waiting: { tone: 'warm', label: 'Paid later' },
  stopped: { tone: 'warm', label: 'Held back' },
  due: { tone: 'warm', label: 'To be paid' },
  paid: { tone: 'good', label: 'Paid' },
  returned: { tone: 'neutral', label: 'Back to the buyer' },
} as const;

/** What lies between the price and the proceeds, a line each. One column, so that the table fits beside a menu. */
function Deductions({ commission, refunded, labels, insurance }: Sale) {
  const deductions = [
    ['commission', -commission],
    ['refund', -refunded],
    ['shipping', -labels],
    ['insurance', insurance],
  ] as const;
  const some = deductions.filter(([, amount]) => amount !== 0);
  if (some.length === 0) return <span className="text-muted">None</span>;
  return (
    <span className="flex flex-col">
      {some.map(([name, amount]) => (
        <span key={name}>
          <span className="text-muted text-sm">{name}</span> {amount < 0 ? '−' : '+'}
          {formatAmount(Math.abs(amount))}
        </span>
      ))}
    </span>
  );
}

/** The columns of a table of sales, broken down for their seller. */
export const saleColumns: Column<Sale>[] = [
  {
    heading: 'Sale',
    lead: true,
    cell: ({ _id, productName, soldAt }) => (
      <span className="block min-w-32">
        <Link to={`/dashboard/order/${_id}`} className="font-semibold wrap-anywhere hover:underline">
          {productName}
        </Link>
        <span className="block text-sm">
          <DateTime at={soldAt} />
        </span>
      </span>
    ),
  },
  { heading: 'Price', figures: true, cell: ({ price }) => formatAmount(price) },
  { heading: 'Deductions', figures: true, cell: Deductions },
  {
    heading: 'Proceeds',
    figures: true,
    cell: ({ proceeds }) => (
      <strong className="font-semibold">
        {proceeds < 0 ? `−${formatAmount(-proceeds)}` : formatAmount(proceeds)}
      </strong>
    ),
  },
  {
    heading: 'State',
    cell: ({ state, due, proceeds, paidAfter }) => (
      <span className="flex flex-col items-end gap-1 @2xl:items-start">
        <Badge tone={states[state].tone}>{states[state].label}</Badge>
        {(state === 'due' || state === 'waiting' || state === 'stopped') && due < proceeds && (
          <span className="text-muted text-sm">{formatAmount(due)} of it</span>
        )}
        {paidAfter !== undefined && (
          <span className="text-muted text-sm">
            After <Day at={paidAfter} />
          </span>
        )}
      </span>
    ),
  },
];
