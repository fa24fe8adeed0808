import type { DeliveryOffer } from '#contract/listings/laptop-schemas.ts';
import type { Delivery, OrderState, ParcelNews } from '#contract/money/order-states.ts';
import { currency } from '#contract/platform/money.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import { nameIfVerified } from '#emails/user-text.ts';
import { type RatingColumns, ratedPeople } from '#server/listings/catalogue/rules.ts';
import { isAnonymizedEmail } from '#server/people/accounts/rules.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import type { Prefixed, Row } from '#server/platform/database/tables.ts';
import { type AddressColumns, addressErrors, addressOf, printedAddress } from '../addresses/rules.ts';
import { bookingPriceRefusal, shownPrices } from '../order-price.ts';

/** A booking joined with its laptop and its buyer. */
export interface BookedLaptop
  extends Omit<Row<'bookings'>, 'currency'>,
    RatingColumns,
    AddressColumns,
    Prefixed<
      'laptop',
      Pick<
        Row<'laptops'>,
        'name' | 'price_version' | 'brand' | 'images' | 'state' | 'mobile_number' | 'delivery' | 'ships_from'
      >
    >,
    Prefixed<'seller', Pick<Row<'users'>, 'name' | 'email' | 'email_verified'>>,
    Prefixed<'buyer', Pick<Row<'users'>, 'name' | 'email' | 'email_verified' | 'ended_at'>> {
  laptop_price_cents: number;
  /** Null before the payment, like the other columns of the order. */
  order_id: string | null;
  paid_at: Date | null;
  transaction_id: string | null;
  order_state: OrderState | null;
  order_due_at: Date | null;
}

/** A booking as its buyer or the seller sees it. */
export interface ShownBooking extends BookedLaptop {
  /** Null without a meeting that is planned, like the other columns of it: agreed on, or proposed and ahead. */
  meeting_place: string | null;
  meeting_at: Date | null;
  meeting_state: Row<'meetings'>['state'] | null;
  is_own_meeting: boolean | null;
  order_news: ParcelNews | null;
  can_review: boolean;
  /** Null unless its buyer reads it and the money is held. */
  handover_code: string | null;
}

/** Names of a booking that users typed, safe to use in emails. */
export function emailTexts(booking: BookedLaptop): { laptop: string; buyer: string } {
  const seller = { emailVerified: booking.seller_email_verified };
  const buyer = { emailVerified: booking.buyer_email_verified };
  return {
    laptop: nameIfVerified(seller, booking.laptop_name, `${booking.laptop_brand} laptop`),
    buyer: nameIfVerified(buyer, booking.buyer_name, 'A buyer'),
  };
}

/**
 * The state of a booking. Its row stores a cancellation by itself; the others follow from its order, its laptop and its buyer. A
 * booking that was paid stays so: what became of the sale is the state of its order.
 */
export function bookingState(
  booking: Pick<BookedLaptop, 'order_id' | 'cancelled_at' | 'laptop_state' | 'buyer_ended_at'>,
): Booking['state'] {
  if (booking.order_id !== null) return 'Paid';
  if (booking.cancelled_at !== null) return 'Cancelled';
  if (booking.laptop_state === 'sold') return 'Sold';
  if (booking.buyer_ended_at !== null) return 'Cancelled';
  if (booking.laptop_state === 'blocked') return 'Paused';
  if (booking.laptop_state !== 'available') return 'Cancelled';
  return 'Unpaid';
}

/** The ways in which a seller gives a laptop to its buyer. */
export const offeredDeliveries = (offer: DeliveryOffer): Delivery[] =>
  offer === 'both' ? ['meet', 'ship'] : [offer];

/** Why a seller does not give a laptop to its buyer in the chosen way; null when the seller does. */
export function deliveryRefusal(
  laptop: { name: string; delivery: DeliveryOffer },
  chosen: Delivery,
): string | null {
  if (offeredDeliveries(laptop.delivery).includes(chosen)) return null;
  return chosen === 'ship'
    ? `The seller of ${laptop.name} does not send it; you meet and look at it`
    : `${laptop.name} is only sent by parcel, for free; say where to`;
}

/**
 * Why an unpaid booking needs another choice of its delivery before it is paid; null when it does not: the seller has changed what is
 * offered, or the address was erased after its time.
 */
export function deliveryToChoose(booking: BookedLaptop): string | null {
  const { laptop_name: name, laptop_delivery, laptop_ships_from } = booking;
  const refusal = deliveryRefusal({ name, delivery: laptop_delivery }, booking.delivery);
  if (refusal !== null) return refusal;
  if (booking.delivery === 'meet') return null;
  const address = addressOf(booking);
  if (address === null) return `The address to which ${name} is sent is not stored any more`;
  return Object.values(addressErrors(address, laptop_ships_from ?? ''))[0] ?? null;
}

/** The states of an order after which its seller needs the buyer's address no more. */
const endedStates: readonly OrderState[] = ['completed', 'refunded', 'charged_back'];

/** Whether the seller of an order reads where it is sent: not before the payment, and not after its end. */
export const isAddressShown = (state: OrderState | null): boolean =>
  state !== null && !endedStates.includes(state);

/** How the buyer gets the laptop, for the buyer and the seller. */
function deliveryResponse(
  row: ShownBooking,
  state: Booking['state'],
  reader: 'buyer' | 'seller',
  showsBuyer: boolean,
): Pick<Booking, 'delivery' | 'location' | 'shipTo' | 'deliveries' | 'shipsFrom'> {
  const { delivery, location } = row;
  const shipTo =
    delivery === 'ship' && (reader === 'buyer' || isAddressShown(row.order_state))
      ? printedAddress(row)
      : undefined;
  return {
    delivery,
    ...(location !== null && showsBuyer && { location }),
    ...(shipTo !== undefined && { shipTo }),
    ...(reader === 'buyer' &&
      state === 'Unpaid' && {
        deliveries: offeredDeliveries(row.laptop_delivery),
        ...(row.laptop_ships_from !== null && { shipsFrom: row.laptop_ships_from }),
      }),
  };
}

/** The meeting of a booking: as agreed on, or as a proposal without an answer. */
function meetingResponse(row: ShownBooking): Pick<Booking, 'meeting' | 'proposal'> {
  const { meeting_place: place, meeting_at: at } = row;
  if (place === null || at === null) return {};
  const startsAt = at.toISOString();
  return row.meeting_state === 'agreed'
    ? { meeting: { place, startsAt } }
    : { proposal: { place, startsAt, mine: row.is_own_meeting === true } };
}

/** The response for a booking. @param photoUrl makes the public URL of a stored photo */
export function toResponse(
  row: ShownBooking,
  reader: 'buyer' | 'seller',
  photoUrl: (photo: string) => string,
): Booking {
  const state = bookingState(row);
  // Neither keeps the contact of the other when nothing is left to agree on.
  const isOpen = ['Unpaid', 'Paused', 'Paid'].includes(state) && row.ended_at === null;
  const showsBuyer = (reader === 'buyer' || isOpen) && !isAnonymizedEmail(row.buyer_email);
  return {
    _id: row.id,
    currency: currency.code,
    productName: row.laptop_name,
    ...shownPrices(row, state === 'Unpaid'),
    buyerName: row.buyer_name,
    ...(showsBuyer && { email: row.buyer_email, phone: formatPhone(row.phone) }),
    ...deliveryResponse(row, state, reader, showsBuyer),
    sellerName: row.seller_name,
    ...ratedPeople(row),
    ...(isOpen &&
      !isAnonymizedEmail(row.seller_email) && { sellerPhone: formatPhone(row.laptop_mobile_number) }),
    image: photoUrl(row.laptop_images[0] ?? ''),
    productCode: row.laptop_id,
    paid: state === 'Paid',
    state,
    bookedAt: row.booked_at.toISOString(),
    ...(row.paid_at !== null && { paidAt: row.paid_at.toISOString() }),
    ...meetingResponse(row),
    ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
    ...(row.order_id !== null &&
      row.order_state !== null && {
        order: {
          _id: row.order_id,
          state: row.order_state,
          dueAt: row.order_due_at?.toISOString() ?? null,
          ...(row.order_news !== null && { news: row.order_news }),
          ...(row.seller_ended_at !== null && { sellerHasEnded: true }),
          canReview: row.can_review,
          ...(row.handover_code !== null && { handoverCode: row.handover_code }),
        },
      }),
  };
}

/** The refusal to a second booking of a laptop by a buyer. */
export const alreadyBooked = (laptopName: string): string =>
  `You already booked ${laptopName}. Can't book it again.`;

/** Why a laptop cannot be booked, as the specification words it; null when it can. */
export function bookingRefusal(
  laptop: {
    name: string;
    state: BookedLaptop['laptop_state'];
    seller_id: string;
    resale_price_cents: number;
  },
  wanted: {
    userId: string;
    priceCents: number | null;
    alreadyBooked: boolean;
    sellerBlocks: boolean;
    buyerBlocks: boolean;
  },
): string | null {
  if (laptop.seller_id === wanted.userId) return `${laptop.name} is your own product. Can't book it.`;
  if (wanted.alreadyBooked) return alreadyBooked(laptop.name);
  // The seller is notified and reads the booking's texts on My Buyers, so a blocked buyer could reach the seller through it.
  if (wanted.sellerBlocks) return `The seller of ${laptop.name} does not take bookings from you.`;
  if (wanted.buyerBlocks) {
    return `You have blocked the seller of ${laptop.name}. Unblock the seller in Messages to book it.`;
  }
  if (laptop.state === 'sold') return `${laptop.name} is already sold. Can't book it.`;
  if (laptop.state === 'blocked') {
    return `${laptop.name} cannot be booked now: a lock was found when it was measured. Its seller can have it released.`;
  }
  if (laptop.state !== 'available') return `${laptop.name} is no longer for sale. Can't book it.`;
  return bookingPriceRefusal(laptop, wanted.priceCents);
}
