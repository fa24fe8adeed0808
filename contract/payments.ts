import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, ignoredPrice, optionalLine, price } from './scalars.ts';

export const createPaymentIntent = endpoint({
  method: 'POST',
  path: '/create-payment-intent',
  access: ['Buyer'],
  summary:
    'Holds the booked laptop for a short while and prepares its payment; asking again renews and answers the same. A buyer who is told that somebody is paying waits in line as long as the call is made again at least every 90 seconds',
  body: z.object({ price: price('The price is missing'), bookingId: Id }),
  answer: z.object({
    clientSecret: z.string(),
    /** Until when nobody else can start to pay for this laptop, ISO 8601 in UTC; null without such a hold. */
    heldUntil: z.nullable(z.string()),
    /** How many other buyers wait in line; while there are any, the hold is not renewed. */
    waiting: z.int(),
  }),
  refusals: [
    'not_found',
    'price_differs',
    'already_paid',
    'already_sold',
    'booking_cancelled',
    'somebody_is_paying',
    'too_many_holds',
    'refunded',
    'card_processor_refused',
    'card_processor_unavailable',
  ],
  limit: 'payment',
});

/** `transactionId` and `bookingId` count; the rest is accepted because the specification sends it, and is never used. */
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
    'Settles a booking after asking the card processor about its payment; sending it twice changes nothing',
  body: NewPayment,
  answer: z.object({ acknowledged: z.boolean(), insertedId: z.string() }),
  refusals: ['not_found', 'payment_not_proven', 'refunded', 'card_processor_unavailable'],
  limit: 'recording',
});
