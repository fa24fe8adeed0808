import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { orderMoveNames, orderStates } from './order-states.ts';
import { ratedPeople } from './ratings.ts';
import { SameLaptopCheck } from './same-laptop.ts';
import { Dollars, Id, Modified } from './scalars.ts';

const Move = z.enum(orderMoveNames);

/** What happened to an order. */
export const OrderEvent = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  event: z.union([z.literal('paid'), Move]),
  by: z.enum(['buyer', 'seller', 'admin', 'clock', 'bank', 'shop']),
  /** The refunded or offered amount, where it is about one. */
  amount: z.optional(Dollars),
});
export type OrderEvent = z.infer<typeof OrderEvent>;

/** A sale, for its buyer, its seller and the admins. */
export const Order = z.object({
  _id: Id,
  bookingId: Id,
  productCode: Id,
  productName: z.string(),
  image: z.string(),
  /** Whether the laptop has a certificate, at `/c/{productCode}`. */
  hasCertificate: z.boolean(),
  buyerName: z.string(),
  sellerName: z.string(),
  ...ratedPeople,
  /** Who the caller is in this order. */
  role: z.enum(['buyer', 'seller', 'admin']),
  price: Dollars,
  /** What went back to the buyer so far. */
  refunded: Dollars,
  state: z.enum(orderStates),
  /** When the state ends by itself, ISO 8601 in UTC; null when it does not. */
  dueAt: z.nullable(z.string()),
  /** The latest time of a meeting, ISO 8601 in UTC; only while the money is held. */
  meetBy: z.optional(z.string()),
  /** The seller's reason for cancelling the sale. */
  cancelReason: z.optional(z.string()),
  /** The buyer's code for the hand-over; only for the buyer, while the money is held. */
  handoverCode: z.optional(z.string()),
  /** What the shop keeps, and what the seller gets; for the seller and the admins. */
  commission: z.optional(Dollars),
  proceeds: z.optional(Dollars),
  /** What happened, oldest first. */
  timeline: z.array(OrderEvent),
  /** Whether the laptop was measured before the sale, so that it can be compared. */
  isMeasured: z.boolean(),
  /** Measurements on the spot, compared with that one; the latest first. */
  laptopChecks: z.array(SameLaptopCheck),
  /** What the caller can do now. */
  moves: z.array(Move),
});
export type Order = z.infer<typeof Order>;

const ById = z.object({ _id: Id });

export const readOrder = endpoint({
  method: 'GET',
  path: '/orders/:_id',
  access: 'signed-in',
  summary: 'An order with its timeline, for its buyer, its seller and the admins',
  params: ById,
  answer: Order,
  refusals: ['not_found'],
});

export const handOver = endpoint({
  method: 'PUT',
  path: '/orders/:_id/handOver',
  access: ['Seller'],
  summary:
    'Releases the money with the code that the buyer showed; `modifiedCount` is 0 when it was released already',
  params: ById,
  body: z.object({
    code: z
      .string({ error: 'Enter the six digits that the buyer shows you' })
      .check(z.regex(/^[0-9]{6}$/, { error: 'Enter the six digits that the buyer shows you' })),
  }),
  answer: Modified,
  refusals: ['not_found', 'wrong_code', 'order_moved'],
  limit: 'handOver',
});

export const confirmOrder = endpoint({
  method: 'PUT',
  path: '/orders/:_id/confirm',
  access: ['Buyer'],
  summary:
    'The buyer has the laptop and is content: releases the money; `modifiedCount` is 0 when it was released already',
  params: ById,
  answer: Modified,
  refusals: ['not_found', 'order_moved'],
  limit: 'recording',
});
