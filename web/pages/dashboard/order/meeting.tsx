import { type Booking, readBooking } from '#contract/sales/bookings.ts';
import type { Order } from '#contract/sales/orders.ts';
import { mapLink, mapUrl } from '../../../bookings/meeting-place.tsx';
import { MeetingTime } from '../../../formats/date-time.tsx';
import { firstName } from '../../../formats/first-name.ts';
import { telephoneUrl } from '../../../formats/phone-link.tsx';
import { downloadMeeting } from '../../../messages/calendar-file.ts';
import { conversationPath, MessageLink } from '../../../orders/message-link.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useShop } from '../../../session/session.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';

/** Whether the two people of an order still have to meet: for the hand-over, or for the return. A parcel returns as one. */
export const isMeetingAhead = ({ state, delivery }: Pick<Order, 'state' | 'delivery'>): boolean =>
  delivery === 'meet' && (state === 'held' || state === 'awaiting_return');

/** When and where the two meet; before they have agreed, what one has proposed, or where the buyer wants to. */
function Appointment({ booking, order }: { booking: Booking; order: Order }) {
  const { meeting, proposal, location } = booking;
  const name = firstName(order.role === 'buyer' ? order.sellerName : order.buyerName);
  const planned = meeting ?? proposal;
  if (planned !== undefined) {
    return (
      <>
        <h2 className="text-lg">
          {meeting !== undefined && `You meet ${name}`}
          {meeting === undefined &&
            (proposal?.mine ? `You proposed to meet ${name}` : `${name} proposes to meet`)}
        </h2>
        <p className="mt-1 font-semibold text-2xl leading-tight">
          <MeetingTime at={planned.startsAt} />
        </p>
        <p className="mt-1 text-lg wrap-anywhere">{planned.place}</p>
        {meeting === undefined && proposal?.mine && <p className="mt-1 text-muted">Waiting for {name}.</p>}
      </>
    );
  }
  return (
    <>
      <h2 className="text-xl">
        {order.state === 'held' ? 'Agree on a time to meet' : 'Agree on a time for the return'}
      </h2>
      {location !== undefined && order.state === 'held' && (
        <p className="mt-1 wrap-anywhere">
          {order.role === 'buyer'
            ? `You want to meet at ${location}.`
            : `${name} wants to meet at ${location}.`}
        </p>
      )}
    </>
  );
}

/** The label of the link to the conversation, before a meeting is agreed on. */
function meetingStep(proposal: Booking['proposal']): string {
  if (proposal === undefined) return 'Agree on a time';
  return proposal.mine ? 'See the proposal' : 'Answer the proposal';
}

/** The buttons about a meeting: agree, map, call, calendar, message. */
function MeetingLinks({ booking, order }: { booking: Booking; order: Order }) {
  const { name: shopName } = useShop();
  const { meeting, proposal, phone, sellerPhone } = booking;
  const isBuyer = order.role === 'buyer';
  const name = isBuyer ? order.sellerName : order.buyerName;
  const number = isBuyer ? sellerPhone : phone;
  const place = meeting?.place ?? proposal?.place ?? (order.state === 'held' ? booking.location : undefined);
  const isAhead = isMeetingAhead(order);
  const title = `Meet ${name}: ${order.productName}`;
  const download = (agreed: NonNullable<Booking['meeting']>) =>
    downloadMeeting({ ...agreed, _id: order._id, title, url: location.href, shopName });
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2 sm:flex sm:flex-wrap">
      {isAhead && meeting === undefined && number !== undefined && (
        <LinkButton
          variant={proposal?.mine ? 'secondary' : 'primary'}
          to={conversationPath(booking._id)}
          className="col-span-full"
        >
          {meetingStep(proposal)}
        </LinkButton>
      )}
      {isAhead && place !== undefined && (
        <LinkButton
          variant="secondary"
          to={mapUrl(place)}
          {...mapLink(place)}
          className="text-center max-sm:px-3!"
        >
          Show on a map
        </LinkButton>
      )}
      {number !== undefined && (
        <LinkButton
          variant="secondary"
          to={telephoneUrl(number)}
          aria-label={`Call ${name}: ${number}`}
          className="text-center max-sm:px-3!"
        >
          Call {firstName(name)}
        </LinkButton>
      )}
      {isAhead && meeting !== undefined && (
        <Button variant="secondary" className="text-center max-sm:px-3!" onClick={() => download(meeting)}>
          Calendar file
        </Button>
      )}
      <MessageLink booking={booking} name={name} size="regular" className="text-center max-sm:px-3!" />
    </div>
  );
}

const useBooking = ({ _id }: Order) => useRead(readBooking, { params: { _id } });

/** How the two people of an order reach each other when nothing more is handed over. */
export function Contact({ order }: { order: Order }) {
  return (
    <QueryView query={useBooking(order)} what="the contact" skeleton="h-11">
      {(booking) => <MeetingLinks booking={booking} order={order} />}
    </QueryView>
  );
}

/** Where and when the two people of an order meet, and how they reach each other: what both need first at the meeting. */
export function Meeting({ order }: { order: Order }) {
  return (
    <section aria-label="Meeting" className="card flex flex-col gap-4">
      <QueryView query={useBooking(order)} what="the meeting" skeleton="h-36">
        {(booking) => (
          <>
            <div>
              <Appointment booking={booking} order={order} />
            </div>
            <MeetingLinks booking={booking} order={order} />
          </>
        )}
      </QueryView>
    </section>
  );
}
