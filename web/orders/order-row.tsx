import { href } from 'react-router';
import type { Booking } from '#contract/sales/bookings.ts';
import { Day } from '../formats/date-time.tsx';
import { Badge } from '../ui/badge.tsx';
import { LinkButton } from '../ui/button.tsx';
import { conversationPath, MessageLink } from './message-link.tsx';
import { type NextStep, nextStep, orderStep } from './next-step.ts';
import { orderDeadline, orderStateLabel } from './order-texts.ts';

interface OrderOfRow {
  order: NonNullable<Booking['order']>;
  reader: 'buyer' | 'seller';
}

/** The state of a paid booking and of its order in one chip, in the words of the reader. */
export function OrderState({ order: { state, news }, reader }: OrderOfRow) {
  const { label, tone } = orderStateLabel({ state, news, role: reader });
  return (
    <Badge tone={tone}>
      <span className="whitespace-normal">
        <span>{reader === 'buyer' ? 'Paid' : 'Bought'}</span> · <span>{label}</span>
      </span>
    </Badge>
  );
}

/** What happens next by itself, and when; nothing when nothing does. */
export function OrderDeadline({ order, reader }: OrderOfRow) {
  const { dueAt } = order;
  const deadline = orderDeadline({ ...order, role: reader });
  if (dueAt === null || deadline === undefined) return null;
  return (
    <p className="text-muted text-sm">
      {deadline} <Day at={dueAt} />
    </p>
  );
}

/** The links of a booking's row: the next step, which fills the card on narrow screens, the conversation and the order. */
export function BookingLinks({ booking, reader }: { booking: Booking; reader: 'buyer' | 'seller' }) {
  const { _id, order, productName } = booking;
  const step = nextStep(booking, reader);
  const orderPath = order === undefined ? null : href('/dashboard/order/:id', { id: order._id });
  const link = ({ label, page, part }: NextStep, variant: 'tinted' | 'secondary', className: string) =>
    orderPath !== null && (
      <LinkButton
        variant={variant}
        size="small"
        to={
          page === 'conversation'
            ? conversationPath(_id)
            : `${orderPath}${part === undefined ? '' : `#${part}`}`
        }
        aria-label={`${label}: ${productName}`}
        className={`@max-2xl:min-h-11 ${className}`}
      >
        {label}
      </LinkButton>
    );
  return (
    <div className="flex flex-wrap gap-2">
      {step !== null && link(step, 'tinted', 'basis-full')}
      <MessageLink
        booking={booking}
        name={reader === 'buyer' ? booking.sellerName : booking.buyerName}
        className="flex-auto @max-2xl:min-h-11"
      />
      {step?.page !== 'order' && link(orderStep(booking, reader), 'secondary', 'flex-auto whitespace-nowrap')}
    </div>
  );
}
