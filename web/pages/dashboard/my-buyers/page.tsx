import { href } from 'react-router';
import { type Booking, listOwnBuyers } from '#contract/sales/bookings.ts';
import { readPrintableLabels } from '#contract/sales/labels.ts';
import { BookingPrice } from '../../../bookings/booking-price.tsx';
import { ProposedMeeting } from '../../../bookings/proposed-meeting.tsx';
import { ToShip } from '../../../bookings/ship-to.tsx';
import { DateTime, MeetingTime } from '../../../formats/date-time.tsx';
import { firstName } from '../../../formats/first-name.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { BookingLinks, OrderDeadline, OrderState } from '../../../orders/order-row.tsx';
import { PrintLabels, PrintManifest } from '../../../orders/print-labels.tsx';
import { useRead } from '../../../requests/reads.ts';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { Section } from '../../../ui/section.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Buyer } from './buyer.tsx';

/** Labels of a booking's state for its seller. */
const states = {
  Unpaid: { tone: 'neutral', label: 'Booked' },
  Paid: { tone: 'good', label: 'Bought' },
  Sold: { tone: 'neutral', label: 'Sold' },
  Cancelled: { tone: 'bad', label: 'Cancelled' },
  Paused: { tone: 'neutral', label: 'Booked, on pause' },
} as const;

/** Where the buyer wants to meet, or where and when both agreed to or one proposed to. */
function ToMeet({ booking: { location, meeting, proposal, buyerName } }: { booking: Booking }) {
  if (meeting !== undefined) {
    return (
      <span className="block text-sm wrap-anywhere">
        You meet{' '}
        <strong className="font-semibold">
          <MeetingTime at={meeting.startsAt} />
        </strong>
        , {meeting.place}
      </span>
    );
  }
  if (proposal !== undefined) {
    return (
      <span className="block text-sm wrap-anywhere">
        <ProposedMeeting proposal={proposal} name={firstName(buyerName)} /> {proposal.place}
      </span>
    );
  }
  return location && <span className="block text-sm wrap-anywhere">to meet at {location}</span>;
}

const columns: Column<Booking>[] = [
  {
    heading: 'Laptop',
    lead: true,
    cell: (booking) => (
      <span className="block min-w-20 font-semibold wrap-anywhere">{booking.productName}</span>
    ),
  },
  { heading: 'Price', figures: true, cell: (booking) => <BookingPrice booking={booking} /> },
  { heading: 'Buyer', cell: (booking) => <Buyer booking={booking} /> },
  {
    heading: 'Booked',
    cell: (booking) => (
      <span className="block min-w-24 text-right @2xl:text-left">
        <DateTime at={booking.bookedAt} />
        {booking.delivery === 'ship' ? <ToShip booking={booking} /> : <ToMeet booking={booking} />}
      </span>
    ),
  },
  {
    heading: 'State',
    wide: true,
    cell: (booking) => {
      const { state, paidAt, order } = booking;
      return (
        <div className="flex min-w-32 flex-col gap-2">
          <div>
            {order === undefined ? (
              <Badge tone={states[state].tone}>{states[state].label}</Badge>
            ) : (
              <OrderState order={order} reader="seller" />
            )}
          </div>
          {paidAt !== undefined && (
            <p className="[&_span]:inline!">
              <DateTime at={paidAt} />
            </p>
          )}
          {order !== undefined && <OrderDeadline order={order} reader="seller" />}
          <BookingLinks booking={booking} reader="seller" />
        </div>
      );
    },
  },
];

/** The labels that were bought and not printed yet, as one document, and the sheets for carriers. */
function LabelsToPrint() {
  const { unprinted = 0, manifests = [] } = useRead(readPrintableLabels, {}).data ?? {};
  return (
    <>
      {unprinted > 0 && (
        <Section
          title={unprinted === 1 ? 'One label to print' : `${unprinted} labels to print`}
          className="card mb-6 flex flex-col gap-3"
        >
          <PrintLabels />
        </Section>
      )}
      {manifests.length > 0 && (
        <Section title="One sheet for the carrier" className="card mb-6 flex flex-col gap-3">
          <p className="max-w-prose">
            The carrier scans its code instead of each parcel. Print it when you have bought all labels of the
            day: others do not come to it later.
          </p>
          {manifests.map((manifest) => (
            <PrintManifest key={manifest.labels[0]} manifest={manifest} />
          ))}
        </Section>
      )}
    </>
  );
}

export default function MyBuyers() {
  return (
    <>
      <PageHeading title="My Buyers">
        The buyers of your laptops, with their contact details. The first to pay buys the laptop; the other
        bookings then show ‘Sold’.
      </PageHeading>
      <LabelsToPrint />
      <ListTable
        endpoint={listOwnBuyers}
        what="your buyers"
        columns={columns}
        emptyTitle="No buyers yet"
        emptyAction={<LinkButton to={href('/dashboard/myProducts')}>Go to My Products</LinkButton>}
        empty="Everyone who books one of your laptops appears here with their contact details. Advertising a laptop shows it on the home page."
      />
    </>
  );
}
