import * as z from 'zod/mini';
import { deliveries, orderStates, parcelNews } from '#contract/money/order-states.ts';
import { ratedPeople } from '#contract/people/ratings.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import {
  Acknowledged,
  CurrencyName,
  Deleted,
  Email,
  Id,
  line,
  Modified,
  MoneyAmount,
  optionalLine,
  Paging,
  price,
  telephone,
} from '#contract/platform/scalars.ts';
import { Address, PrintedAddress } from './addresses.ts';

export const Booking = z.object({
  _id: Id,
  productName: z.string(),
  /** The price paid. Of an unpaid booking: the price to pay, or the last one that applied while there is a `newPrice`. */
  price: MoneyAmount,
  currency: CurrencyName,
  /** The laptop's price after it was raised, until the buyer agrees to it: the booking cannot be paid before. */
  newPrice: z.optional(MoneyAmount),
  buyerName: z.string(),
  /** Email, telephone and meeting place are absent after the buyer has ended the account, and for the seller when the booking is over. */
  email: z.optional(z.string()),
  phone: z.optional(z.string()),
  /** Whether the buyer meets the seller, or the laptop is sent. */
  delivery: z.enum(deliveries),
  /** Where the buyer wants to meet; only with the delivery `meet`. */
  location: z.optional(z.string()),
  /**
   * Where the laptop is sent; only with the delivery `ship`. The seller sees it once it is paid, and until the order has ended. Missing
   * when it was erased.
   */
  shipTo: z.optional(PrintedAddress),
  /** Only of an unpaid booking, for its buyer: what the laptop’s seller offers now. */
  deliveries: z.optional(z.array(z.enum(deliveries))),
  /** The country in which it is sent, in ISO 3166; as `deliveries`. */
  shipsFrom: z.optional(z.string()),
  /** The meeting on which both agreed, until the laptop is handed over. */
  meeting: z.optional(
    z.object({
      place: z.string(),
      /** ISO 8601 in UTC. */
      startsAt: z.string(),
    }),
  ),
  /** The meeting that one of the two has proposed and that is ahead, until the other answers. */
  proposal: z.optional(
    z.object({
      place: z.string(),
      /** ISO 8601 in UTC. */
      startsAt: z.string(),
      /** Whether the caller has proposed it. */
      mine: z.boolean(),
    }),
  ),
  sellerName: z.string(),
  ...ratedPeople,
  /** Only while the booking is unpaid, paused or paid, and absent after the seller has ended the account. */
  sellerPhone: z.optional(z.string()),
  image: z.string(),
  productCode: Id,
  paid: z.boolean(),
  /**
   * `Sold`: another buyer paid first. `Cancelled`: by its buyer, or because the laptop or an account left the shop. `Paused`: it
   * cannot be paid until a lock that was found on the laptop is released.
   */
  state: z.enum(['Unpaid', 'Paid', 'Sold', 'Cancelled', 'Paused']),
  /** The time of booking, ISO 8601 in UTC. */
  bookedAt: z.string(),
  /** The time of payment, ISO 8601 in UTC. */
  paidAt: z.optional(z.string()),
  transactionId: z.optional(z.string()),
  /** What became of the sale; only of a paid booking. */
  order: z.optional(
    z.object({
      _id: Id,
      state: z.enum(orderStates),
      /** When its state ends by itself, ISO 8601 in UTC. */
      dueAt: z.nullable(z.string()),
      /** As of the order. */
      news: z.optional(z.enum(parcelNews)),
      /** Present after the seller's account has ended, with which a hand-over is no longer possible. */
      sellerHasEnded: z.optional(z.literal(true)),
      /** Whether the caller can review the other person of the sale, which no complaint keeps open. */
      canReview: z.boolean(),
      /** The code for the hand-over, for the buyer while the money is held. */
      handoverCode: z.optional(z.string()),
    }),
  ),
});
export type Booking = z.infer<typeof Booking>;

/** How the buyer gets the laptop. Without a choice, as in the specification: both meet. */
const meeting = {
  delivery: z.optional(z.literal('meet')),
  location: line(200, 'Meeting Location is required'),
};
const parcel = { delivery: z.literal('ship'), address: Address };

export const ChosenDelivery = z.discriminatedUnion('delivery', [z.object(meeting), z.object(parcel)], {
  error: 'Choose whether you meet, or it is sent',
});
export type ChosenDelivery = z.infer<typeof ChosenDelivery>;

/**
 * The specification sends name, email and image as well. They are accepted and ignored.
 */
const booking = {
  productName: optionalLine(300),
  price: price('The price is missing'),
  buyerName: optionalLine(300),
  email: optionalLine(300),
  phone: telephone('Phone Number is required'),
  image: optionalLine(2000),
  productCode: Id,
};

/** A booking of a laptop that the buyer fetches. */
export const NewMeetingBooking = z.object({ ...booking, ...meeting });

export const NewBooking = z.discriminatedUnion(
  'delivery',
  [NewMeetingBooking, z.object({ ...booking, ...parcel })],
  { error: 'Choose whether you meet, or it is sent' },
);

export const listBookings = endpoint({
  method: 'GET',
  path: '/bookings',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'The caller’s own orders, newest first',
  query: z.extend(Paging, { email: z.optional(Email) }),
  response: z.array(Booking),
  refusals: ['not_allowed'],
});

export const readBooking = endpoint({
  method: 'GET',
  path: '/bookings/:_id',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'A booking, by its id or that of its order, for its buyer and for the laptop’s seller',
  params: z.object({ _id: Id }),
  response: Booking,
  refusals: ['not_found'],
});

export const book = endpoint({
  method: 'POST',
  path: '/bookings',
  access: 'signed-in',
  summary: 'For buyers: books a laptop, named by its id or by one of the caller’s own wishlist items',
  body: NewBooking,
  response: Acknowledged,
  refusals: ['not_found', 'not_allowed', 'invalid_input', 'shop_unidentified', 'changed_elsewhere'],
  limit: 'booking',
  idempotencyKey: true,
  changes: ['laptops'],
});

export const cancelBooking = endpoint({
  method: 'DELETE',
  path: '/bookings/:_id',
  access: ['Buyer'],
  summary: 'Cancels the caller’s unpaid booking; `deletedCount` is 0 when it is cancelled already',
  params: z.object({ _id: Id }),
  response: Deleted,
  refusals: ['not_found', 'already_paid', 'already_sold'],
  // Each cancellation sends an email to a seller.
  limit: 'booking',
  changes: ['laptops'],
});

export const agreeToPrice = endpoint({
  method: 'PUT',
  path: '/bookings/:_id/price',
  access: ['Buyer'],
  summary:
    'Agrees to the laptop’s present price in the caller’s unpaid booking; `modifiedCount` is 0 when it was agreed already. Refused with price_differs when the price is another one',
  params: z.object({ _id: Id }),
  body: z.object({ price: price('The price is missing') }),
  response: Modified,
  refusals: ['not_found', 'price_differs', 'already_paid', 'already_sold', 'booking_cancelled'],
  limit: 'booking',
});

export const closePaymentWindow = endpoint({
  method: 'DELETE',
  path: '/bookings/:_id/payment-window',
  access: ['Buyer'],
  summary: 'Ends the payment window of a booking, or its place in line; the booking stays',
  params: z.object({ _id: Id }),
  response: Deleted,
  refusals: ['not_found'],
  limit: 'payment',
});

export const listOwnBuyers = endpoint({
  method: 'GET',
  path: '/myBuyers',
  access: ['Seller'],
  summary: 'The bookings of the caller’s laptops, newest first',
  query: Paging,
  response: z.array(Booking),
});
