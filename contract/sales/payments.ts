import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, ignoredPrice, optionalLine, price } from '#contract/platform/scalars.ts';

export const createPaymentIntent = endpoint({
  method: 'POST',
  path: '/create-payment-intent',
  access: ['Buyer'],
  summary:
    'Opens a payment window, in which no other buyer can pay for the laptop, and prepares the payment. A repeated call renews the payment window and returns the same intent. A buyer refused with somebody_is_paying keeps a place in line by repeating the call at least every 90 seconds',
  body: z.object({ price: price('The price is missing'), bookingId: Id }),
  response: z.object({
    clientSecret: z.string(),
    /** The expiry of the exclusive payment window, ISO 8601 in UTC; null without one. */
    paymentWindowEndsAt: z.nullable(z.string()),
    /** How many other buyers wait in line. The payment window is not renewed while this is above 0. */
    waiting: z.int(),
  }),
  refusals: [
    'shop_unidentified',
    'not_found',
    'price_differs',
    'price_not_agreed',
    'delivery_not_chosen',
    'already_paid',
    'already_sold',
    'booking_cancelled',
    'sale_paused',
    'somebody_is_paying',
    'too_many_payment_windows',
    'refunded',
    'card_processor_refused',
    'card_processor_unavailable',
  ],
  limit: 'payment',
});

/** Only `transactionId` and `bookingId` are used. The specification sends the other fields, which are ignored. */
export const NewPayment = z.object({
  price: ignoredPrice,
  transactionId: z
    .string({ error: 'The transaction id is missing' })
    .check(z.regex(/^[A-Za-z0-9_]{3,255}$/, { error: 'This is not a transaction id' })),
  email: optionalLine(300),
  bookingId: Id,
  productName: optionalLine(300),
  productCode: optionalLine(300),
});

export const recordPayment = endpoint({
  method: 'POST',
  path: '/payments',
  access: ['Buyer'],
  summary:
    'Records the payment of a booking after checking it at the card processor; a repeated call changes nothing',
  body: NewPayment,
  response: z.object({ acknowledged: z.boolean(), insertedId: z.string() }),
  refusals: ['not_found', 'payment_not_proven', 'refunded', 'card_processor_unavailable'],
  limit: 'recording',
  changes: ['bookings', 'orders', 'wishlists', 'laptops', 'receipts'],
});
