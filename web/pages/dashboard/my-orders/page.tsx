import { href, useMatch } from 'react-router';
import { formatAmount } from '#contract/platform/scalars.ts';
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
import { AddRoleButton } from '../../../forms/add-role-button.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { laptopColumns } from '../../../lists/laptop-columns.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { BookingLinks, OrderDeadline, OrderState } from '../../../orders/order-row.tsx';
import { orderMeaning } from '../../../orders/order-texts.ts';
import { useRoles } from '../../../session/roles.ts';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton, SecondaryLink } from '../../../ui/button.tsx';
import { Section } from '../../../ui/section.tsx';
import type { Column } from '../../../ui/table.tsx';
import { ToDoList } from './to-do-list.tsx';

const tones = { Paid: 'good', Sold: 'neutral', Cancelled: 'bad', Paused: 'warm' } as const;

/** What the buyer should know, as a sentence; null when the state of the order and its buttons say it. */
function sentence({ state, newPrice, sellerName, sellerPhone, order, delivery }: Booking): string | null {
  switch (state) {
    case 'Unpaid':
      if (newPrice !== undefined) return 'Next: agree to the new price and pay, or cancel.';
      return delivery === 'ship'
        ? `Next: pay. Then ${firstName(sellerName)} sends it to you for free.`
        : `Next: pay. Then meet ${firstName(sellerName)} and take it home.`;
    case 'Paid':
      if (order?.state === 'held' && sellerPhone === undefined) {
        return 'It is yours. The seller’s account has ended, so there is no phone number any more.';
      }
      return order?.state === 'refunded' || order?.state === 'charged_back'
        ? orderMeaning({ state: order.state, role: 'buyer' })
        : null;
    case 'Sold':
      return 'Another buyer paid first.';
    case 'Paused':
      return 'A lock was found on this laptop, so it cannot be paid now. Your booking is kept, and we write to you when it can.';
    case 'Cancelled':
      return 'This booking has ended. There is nothing to pay.';
  }
}

function Payment({ order: { _id, productName, state, price, newPrice, order } }: { order: Booking }) {
  if (order !== undefined) return <OrderState order={order} reader="buyer" />;
  if (state !== 'Unpaid') return <Badge tone={tones[state]}>{state}</Badge>;
  if (newPrice !== undefined) {
    return (
      <>
        <span className="block basis-full text-sm">
          The seller has raised the price. It was {formatAmount(price)}.
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
      <span className="flex min-w-20 flex-col items-end text-right wrap-anywhere @2xl:items-start @2xl:text-left @min-[56rem]:min-w-36 @max-2xl:[&_a]:inline-flex @max-2xl:[&_a]:min-h-11 @max-2xl:[&_a]:items-center">
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
    cell: (booking) => {
      const { order, bookedAt } = booking;
      const text = sentence(booking);
      return (
        <div className="flex min-w-32 flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <Payment order={booking} />
            <CancelBooking order={booking} />
          </div>
          {text !== null && <p className="text-sm wrap-anywhere">{text}</p>}
          {order?.handoverCode !== undefined && (
            <p className="text-sm">
              Your code for the hand-over:{' '}
              <strong className="figures whitespace-nowrap text-base tracking-wider">
                {order.handoverCode}
              </strong>
            </p>
          )}
          {order !== undefined && <OrderDeadline order={order} reader="buyer" />}
          <BookingLinks booking={booking} reader="buyer" />
          <p className="text-muted text-sm">
            Booked <Day at={bookedAt} />
          </p>
        </div>
      );
    },
  },
];

/** The bookings of the signed-in person. */
function Orders() {
  const { email } = usePerson();
  const roles = useRoles();
  const canBook = roles.status !== 'known' || roles.isBuyer;
  return (
    <ListTable
      endpoint={listBookings}
      parameters={{ query: { email } }}
      what="your orders"
      columns={columns}
      emptyTitle="No orders yet"
      emptyAction={
        canBook ? (
          <LinkButton to={href('/laptops')}>Find a laptop</LinkButton>
        ) : (
          roles.isSeller && <AddRoleButton adds="Buyer" variant="secondary" />
        )
      }
      empty={
        canBook
          ? 'Book a laptop and it appears here, with a button to pay for it.'
          : roles.isSeller
            ? 'You sell with this account. It can buy as well.'
            : 'An administrator’s account neither buys nor sells.'
      }
    />
  );
}

const explanation =
  'Your bookings. A laptop is yours once you have paid for it; until then somebody else may buy it.';

/** The bookings, and above them on the first page of the dashboard what waits for the signed-in person. */
export default function MyOrders() {
  const isFirstPage = useMatch(href('/dashboard')) !== null;
  if (!isFirstPage) {
    return (
      <>
        <PageHeading
          title="My Orders"
          action={<SecondaryLink to={href('/dashboard/receipts')}>Receipts</SecondaryLink>}
        >
          {explanation}
        </PageHeading>
        <Orders />
      </>
    );
  }
  return (
    <div className="flex flex-col gap-10">
      <div>
        <PageHeading title="What waits for you" />
        <ToDoList />
      </div>
      <Section title="My Orders" heading="mb-3 text-xl">
        <Orders />
      </Section>
    </div>
  );
}
