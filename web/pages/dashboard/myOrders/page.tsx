import { href } from 'react-router';
import { type Booking, listBookings } from '#contract/bookings.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { laptopColumns } from '../../../lists/laptop-columns.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { useApi, usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { CancelBooking } from './cancel-booking.tsx';

export const meta = () => privateMeta('My Orders');

const tones = { Paid: 'good', Sold: 'neutral', Cancelled: 'bad' } as const;

function Payment({ order: { _id, productName, state } }: { order: Booking }) {
  if (state !== 'Unpaid') return <Badge tone={tones[state]}>{state}</Badge>;
  return (
    <LinkButton
      size="small"
      to={href('/dashboard/payment/:id', { id: _id })}
      aria-label={`Pay for ${productName}`}
    >
      Pay
    </LinkButton>
  );
}

const columns: Column<Booking>[] = [
  ...laptopColumns<Booking>(({ productCode: _id, productName: name, ...order }) => ({ ...order, _id, name })),
  {
    heading: 'Meeting location',
    cell: (order) => (
      <span className="block min-w-20 text-right wrap-anywhere @2xl:text-left">{order.location}</span>
    ),
  },
  { heading: 'Booked', cell: (order) => <DateTime at={order.bookedAt} /> },
  {
    heading: 'Payment',
    cell: (order) => (
      <div className="flex flex-wrap items-center justify-end gap-2 @2xl:justify-start">
        <Payment order={order} />
        <CancelBooking order={order} />
      </div>
    ),
  },
];

export default function MyOrders() {
  const api = useApi();
  const { email } = usePerson();
  const orders = useList(['bookings', 'own'], (wanted, signal) =>
    api.page(listBookings, { query: { ...wanted, email }, signal }),
  );
  return (
    <>
      <PageHeading title="My Orders">
        Your bookings. A laptop is yours once you have paid for it; until then somebody else may buy it.
      </PageHeading>
      <ListTable
        list={orders}
        what="your orders"
        columns={columns}
        empty={
          <EmptyState title="No orders yet" action={<LinkButton to={href('/')}>Find a laptop</LinkButton>}>
            Book a laptop and it appears here, with a button to pay for it.
          </EmptyState>
        }
      />
    </>
  );
}
