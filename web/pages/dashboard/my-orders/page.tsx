import { href } from 'react-router';
import { formatDollars } from '#contract/platform/scalars.ts';
import { type Booking, listBookings } from '#contract/sales/bookings.ts';
import { AgreeToPrice } from '../../../bookings/agree-to-price.tsx';
import { BookingPrice } from '../../../bookings/booking-price.tsx';
import { CancelBooking } from '../../../bookings/cancel-booking.tsx';
import { MeetingPlace } from '../../../bookings/meeting-place.tsx';
import { ShipTo } from '../../../bookings/ship-to.tsx';
import { Day } from '../../../formats/date-time.tsx';
import { firstName } from '../../../formats/first-name.ts';
import { PhoneLink } from '../../../formats/phone-link.tsx';
import { SellerName } from '../../../formats/seller-name.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { laptopColumns } from '../../../lists/laptop-columns.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { MessageLink } from '../../../orders/message-link.tsx';
import { isMoneyBack, isOnItsWay, OrderLink } from '../../../orders/order-link.tsx';
import { orderMeaning } from '../../../orders/order-texts.ts';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

export const meta = () => privateMeta('My Orders');

const tones = { Paid: 'good', Sold: 'neutral', Cancelled: 'bad', Paused: 'warm' } as const;

/** What the buyer does next, as a sentence; null when the state of the order says it. */
function nextStep({
  state,
  newPrice,
  sellerName,
  sellerPhone,
  meeting,
  order,
  delivery,
}: Booking): string | null {
  const seller = firstName(sellerName);
  switch (state) {
    case 'Unpaid':
      if (newPrice !== undefined) return 'Next: agree to the new price and pay, or cancel.';
      return delivery === 'ship'
        ? `Next: pay. Then ${seller} sends it to you for free.`
        : `Next: pay. Then meet ${seller} and take it home.`;
    case 'Paid':
      if (order !== undefined && order.state !== 'held') {
        return isMoneyBack(order) || isOnItsWay(order)
          ? orderMeaning({ state: order.state, role: 'buyer' })
          : null;
      }
      if (meeting !== undefined) return `Next: meet ${seller} and take it home.`;
      return sellerPhone === undefined
        ? 'It is yours. The seller’s account has ended, so there is no phone number any more.'
        : `Next: call ${seller} to agree on a time.`;
    case 'Sold':
      return 'Another buyer paid first.';
    case 'Paused':
      return 'A lock was found on this laptop, so it cannot be paid now. Your booking is kept, and we write to you when it can.';
    case 'Cancelled':
      return 'This booking has ended. There is nothing to pay.';
  }
}

function Payment({ order: { _id, productName, state, price, newPrice } }: { order: Booking }) {
  if (state !== 'Unpaid') return <Badge tone={tones[state]}>{state}</Badge>;
  if (newPrice !== undefined) {
    return (
      <>
        <span className="block basis-full text-sm">
          The seller has raised the price. It was {formatDollars(price)}.
        </span>
        <AgreeToPrice booking={{ _id, productName, newPrice }} size="small" />
      </>
    );
  }
  return (
    <LinkButton
      size="small"
      to={href('/dashboard/payment/:id', { id: _id })}
      aria-label={`Pay for ${productName}`}
      className="@max-2xl:min-h-11 @max-2xl:basis-full"
    >
      Pay
    </LinkButton>
  );
}

const columns: Column<Booking>[] = [
  ...laptopColumns<Booking>(
    ({ productCode: _id, productName: name, ...order }) => ({ ...order, _id, name }),
    (order) => <BookingPrice booking={order} />,
  ),
  {
    heading: 'Seller',
    cell: ({ sellerName, sellerId, sellerRating, sellerPhone }) => (
      <span className="flex min-w-20 flex-col items-end text-right wrap-anywhere @2xl:items-start @2xl:text-left @min-[56rem]:[&_a]:whitespace-nowrap">
        <SellerName name={sellerName} id={sellerId} rating={sellerRating} />
        {sellerPhone !== undefined && <PhoneLink>{sellerPhone}</PhoneLink>}
      </span>
    ),
  },
  {
    heading: 'Meeting location or address',
    cell: (order) =>
      order.delivery === 'ship' ? <ShipTo booking={order} /> : <MeetingPlace booking={order} />,
  },
  {
    heading: 'Payment',
    wide: true,
    cell: (order) => {
      const next = nextStep(order);
      return (
        <div className="flex min-w-32 flex-col gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <Payment order={order} />
            <CancelBooking order={order} />
          </div>
          {next !== null && <p className="text-sm">{next}</p>}
          <MessageLink booking={order} name={order.sellerName} />
          {order.order !== undefined && <OrderLink order={order.order} laptop={order.productName} isWide />}
          <p className="text-muted text-sm">
            Booked <Day at={order.bookedAt} />
          </p>
        </div>
      );
    },
  },
];

export default function MyOrders() {
  const { email } = usePerson();
  const orders = useList(listBookings, { query: { email } });
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
