import { href, Link } from 'react-router';
import type { Booking } from '#contract/sales/bookings.ts';
import { Day } from '../formats/date-time.tsx';
import { Badge } from '../ui/badge.tsx';
import { orderDeadlines, orderStateLabels } from './order-texts.ts';

interface OrderLinkProps {
  order: NonNullable<Booking['order']>;
  laptop: string;
  /** Whether it stands in a column that fills the card on narrow screens. */
  isWide?: boolean;
}

/** Whether the whole price went back to the buyer. */
export const isMoneyBack = (order: Booking['order']): boolean =>
  order?.state === 'refunded' || order?.state === 'charged_back';

/** Whether the order goes by parcel and is not over. */
export const isOnItsWay = (order: Booking['order']): boolean =>
  order?.state === 'to_ship' || order?.state === 'shipped' || order?.state === 'delivered';

/** The state of a booking's order with its next date, and the link to the order; for rows of lists. */
export function OrderLink({ order: { _id, state, dueAt }, laptop, isWide = false }: OrderLinkProps) {
  const { label, tone } = orderStateLabels[state];
  const deadline = orderDeadlines[state];
  return (
    <span
      className={`flex flex-col gap-1 text-sm ${isWide ? 'items-start' : 'items-end text-right @2xl:items-start @2xl:text-left'}`}
    >
      <Badge tone={tone}>{label}</Badge>
      {dueAt !== null && deadline !== undefined && (
        <span className="text-muted">
          {deadline} <Day at={dueAt} />
        </span>
      )}
      <Link
        to={href('/dashboard/order/:id', { id: _id })}
        aria-label={`See the order of ${laptop}`}
        className="font-semibold underline underline-offset-4"
      >
        See the order
      </Link>
    </span>
  );
}
