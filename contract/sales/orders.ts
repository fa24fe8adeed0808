import * as z from 'zod/mini';
import { Measurement } from '#contract/certification/inspections.ts';
import { SameLaptopCheck, SameLaptopCode } from '#contract/certification/same-laptop.ts';
import { Laptop } from '#contract/listings/laptop-schemas.ts';
import { deliveries, orderMoveNames, orderStates, parcelNews } from '#contract/money/order-states.ts';
import { ratedPeople } from '#contract/people/ratings.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import {
  CurrencyName,
  Id,
  Inserted,
  line,
  Modified,
  MoneyAmount,
  optionalLine,
  Paging,
  price,
  text,
} from '#contract/platform/scalars.ts';
import { payoutTimes } from '#contract/platform/shop-settings.ts';
import { PrintedAddress } from './addresses.ts';
import { parcelWays, trackingStates } from './labels.ts';

const Move = z.enum(orderMoveNames);

/** What happened to an order. */
export const OrderEvent = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  event: z.union([z.enum(['paid', 'refund_part', 'goodwill', 'arrive_late']), Move]),
  by: z.enum(['buyer', 'seller', 'admin', 'deadline', 'bank', 'shop', 'carrier']),
  /** The refunded or offered amount, where it is about one. */
  amount: z.optional(MoneyAmount),
});
export type OrderEvent = z.infer<typeof OrderEvent>;

/** Money that goes back to the buyer of an order. */
export const OrderRefund = z.object({
  _id: Id,
  amount: MoneyAmount,
  /** Why it goes back. `goodwill`: at the shop's own cost; `made_at_processor`: an operator made it at the card processor. */
  reason: z.enum([
    'order_cancelled',
    'not_delivered',
    'complaint',
    'partial',
    'charged_back',
    'by_admin',
    'goodwill',
    'made_at_processor',
  ]),
  /**
   * `waiting`: until the money is back from the seller, or an admin decides. `pending`: on its way. `failed`: the card processor or the
   * bank did not take it; it is still the buyer's. `paid_by_bank`: the buyer's bank gave the buyer this money.
   * `paid_by_hand`: it failed, and the shop paid the buyer another way.
   */
  state: z.enum(['waiting', 'pending', 'done', 'failed', 'paid_by_bank', 'paid_by_hand']),
  /** An admin's words about it. */
  text: z.optional(z.string()),
  /** When it was decided, ISO 8601 in UTC. */
  at: z.string(),
});
export type OrderRefund = z.infer<typeof OrderRefund>;

/** A parcel of an order. */
export const Parcel = z.object({
  /** `out`: to the buyer. `back`: a return to the seller. */
  way: z.enum(parcelWays),
  carrier: z.string(),
  trackingNumber: z.string(),
  /** When it was handed to the carrier, as its sender says, ISO 8601 in UTC. */
  at: z.string(),
  /** What the seller or an admin reported of it: the proof of delivery, or why it came back. */
  report: z.optional(z.string()),
  /** What its carrier last reported, if the shop bought the label, and since when, ISO 8601 in UTC. */
  tracking: z.optional(z.object({ state: z.enum(trackingStates), at: z.string() })),
  /**
   * Where it goes, if the buyer corrected the address after its label was bought: a delivery there does not count. Empty for the seller,
   * who need not know that address any more.
   */
  formerAddress: z.optional(z.string()),
  /** Of an insured parcel that is lost or damaged, for the seller and the admins: whether the insurance is still asked, and what it paid. */
  insurance: z.optional(
    z.object({
      isAsked: z.boolean(),
      paid: MoneyAmount,
      /**
       * Why the insurance can take its payment for a lost parcel back: the parcel was found, or can still be found and the seller get the
       * price; absent once it is the seller's.
       */
      returnable: z.optional(z.enum(['found', 'if_found'])),
    }),
  ),
});
export type Parcel = z.infer<typeof Parcel>;

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
  price: MoneyAmount,
  currency: CurrencyName,
  /** What went back to the buyer so far, at the cost of the sale. */
  refunded: MoneyAmount,
  /** What the buyer got back at the shop's own cost. */
  goodwill: MoneyAmount,
  /** What went back or goes back, oldest first. */
  refunds: z.array(OrderRefund),
  state: z.enum(orderStates),
  /** When the state ends by itself, ISO 8601 in UTC; null when it does not. */
  dueAt: z.nullable(z.string()),
  /** Whether both meet, or the laptop is sent. */
  delivery: z.enum(deliveries),
  /** Where the laptop is sent. The seller sees it until the order has ended. Missing when it was erased. */
  shipTo: z.optional(PrintedAddress),
  /** Oldest first. */
  parcels: z.array(Parcel),
  /** Photos by the seller of how the laptop was packed, and when each was added, ISO 8601 in UTC; oldest first. */
  packingPhotos: z.array(z.object({ photo: z.string(), at: z.string() })),
  /** What the buyer and the seller need to know of the parcel that is on its way. */
  news: z.optional(z.enum(parcelNews)),
  /** Present after the seller's account has ended, with which a hand-over is no longer possible. */
  sellerHasEnded: z.optional(z.literal(true)),
  /** Whether the buyer has the laptop, as far as the two have said so, or nobody complained in time. */
  laptopWithBuyer: z.boolean(),
  /** The latest time of a meeting, ISO 8601 in UTC; only while the money is held. */
  meetBy: z.optional(z.string()),
  /** The seller's reason for cancelling the sale. */
  cancelReason: z.optional(z.string()),
  /** The buyer's code for the hand-over; only for the buyer, while the money is held. */
  handoverCode: z.optional(z.string()),
  /** What the shop keeps, and what the seller gets; for the seller and the admins. */
  commission: z.optional(MoneyAmount),
  /** What the seller bears of the labels that the shop bought, 0 when the shop bears them; missing without a label. */
  labels: z.optional(MoneyAmount),
  proceeds: z.optional(MoneyAmount),
  /** When the seller is paid. */
  payoutAfter: z.enum(payoutTimes),
  /** What happened, oldest first. */
  timeline: z.array(OrderEvent),
  /** Whether the laptop was measured before the sale, so that it can be compared. */
  isMeasured: z.boolean(),
  /** Measurements on the spot, compared with that one; the latest first. */
  laptopChecks: z.array(SameLaptopCheck),
  /** The seller's present code for the next one. */
  laptopCode: z.nullable(SameLaptopCode),
  /** What the caller can do now. */
  moves: z.array(Move),
});
export type Order = z.infer<typeof Order>;

const ById = z.object({ _id: Id });

/** An order in the list for admins. */
export const OrderItem = z.object({
  _id: Id,
  productName: z.string(),
  image: z.string(),
  buyerName: z.string(),
  sellerName: z.string(),
  price: MoneyAmount,
  state: z.enum(orderStates),
  /** When the state ends by itself, ISO 8601 in UTC; null when it does not. */
  dueAt: z.nullable(z.string()),
  /** As of the order. */
  sellerHasEnded: z.optional(z.literal(true)),
  /** ISO 8601 in UTC. */
  placedAt: z.string(),
});
export type OrderItem = z.infer<typeof OrderItem>;

/** The maximum length of what admins search orders by, in characters. */
export const MAXIMUM_ORDER_SEARCH = 100;

export const listOrders = endpoint({
  method: 'GET',
  path: '/orders',
  access: ['Admin'],
  rights: ['complaints', 'money'],
  summary:
    'All orders, newest first; searchable by a part of the name or email of the buyer or seller, or by a whole tracking, receipt, order or payment number',
  query: z.extend(Paging, { search: optionalLine(MAXIMUM_ORDER_SEARCH) }),
  response: z.array(OrderItem),
});

export const readOrder = endpoint({
  method: 'GET',
  path: '/orders/:_id',
  access: 'signed-in',
  summary: 'An order with its timeline, for its buyer, its seller and the admins',
  params: ById,
  response: Order,
  refusals: ['not_found'],
});

/** The laptop of an order as it was sold, to be compared with the laptop itself. */
export const SoldLaptop = z.object({
  condition: Laptop.shape.condition,
  description: Laptop.shape.description,
  images: Laptop.shape.images,
  /** The photos of marks, and those to which the seller has written something. */
  named: z.array(z.object({ photo: z.string(), caption: z.nullable(z.string()) })),
  /** The latest measurement before the sale, with what in it contradicts the listing; null without one. */
  measurement: z.nullable(Measurement),
});
export type SoldLaptop = z.infer<typeof SoldLaptop>;

export const readSoldLaptop = endpoint({
  method: 'GET',
  path: '/orders/:_id/laptop',
  access: 'signed-in',
  summary:
    'The laptop of an order as it was listed and measured before the sale, for the buyer, the seller and the admins; refused after the sale was undone',
  params: ById,
  response: SoldLaptop,
  refusals: ['not_found', 'order_moved'],
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
  response: Modified,
  refusals: ['not_found', 'wrong_code', 'order_moved'],
  limit: 'handOver',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

export const confirmOrder = endpoint({
  method: 'PUT',
  path: '/orders/:_id/confirm',
  access: ['Buyer'],
  summary:
    'The buyer has the laptop and is content: releases the money; `modifiedCount` is 0 when it was released already',
  params: ById,
  response: Modified,
  refusals: ['not_found', 'order_moved'],
  limit: 'recording',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

/** Who bears a refund. */
export const refundBearers = ['seller', 'shop'] as const;

export const refundOrder = endpoint({
  method: 'POST',
  path: '/orders/:_id/refunds',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'Gives a part or the rest of an order’s price back, also after its end: at the seller’s cost, or as goodwill of the shop',
  needsRecentAuthentication: true,
  params: ById,
  body: z.object({
    amount: price('Enter what goes back'),
    from: z.enum(refundBearers, { error: 'Choose who bears it' }),
    text: text(1000, 'Tell both why, in a sentence'),
  }),
  response: Inserted,
  refusals: ['not_found', 'refund_refused'],
  idempotencyKey: true,
  limit: 'complaining',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

/** A refund that waits until the money is back from the seller, or that failed and is still the buyer's. */
export const WaitingRefund = z.object({
  _id: Id,
  /** Missing for a payment that bought nothing. */
  orderId: z.optional(Id),
  productName: z.string(),
  buyerName: z.string(),
  sellerName: z.string(),
  amount: MoneyAmount,
  isFailed: z.boolean(),
  /** Whether a bank has the money while it decides a dispute: nobody can pay it meanwhile. */
  isWithheld: z.boolean(),
  /** Why the money is not back, or the refund failed, in a sentence. */
  why: z.string(),
  /** ISO 8601 in UTC. */
  since: z.string(),
});
export type WaitingRefund = z.infer<typeof WaitingRefund>;

export const listWaitingRefunds = endpoint({
  method: 'GET',
  path: '/waitingRefunds',
  access: ['Admin'],
  rights: ['money'],
  summary: 'Refunds that wait until the money is back from the seller, or that failed, oldest first',
  query: Paging,
  response: z.array(WaitingRefund),
});

export const payWaitingRefund = endpoint({
  method: 'PUT',
  path: '/waitingRefunds/:_id/pay',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'Pays a refund that waits from the shop’s own money; the seller keeps owing it. `modifiedCount` is 0 when it does not wait any more',
  needsRecentAuthentication: true,
  params: ById,
  response: Modified,
  refusals: ['not_found', 'refund_refused'],
  limit: 'complaining',
  changes: ['orders'],
});

export const payRefundByHand = endpoint({
  method: 'PUT',
  path: '/waitingRefunds/:_id/payByHand',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'Marks a failed refund as paid from the shop’s bank account. `modifiedCount` is 0 when it is not failed any more',
  needsRecentAuthentication: true,
  params: ById,
  body: z.object({
    /** The bank's reference, by which the shop finds the payment. */
    reference: line(100, 'Enter the reference of the payment'),
  }),
  response: Modified,
  refusals: ['not_found', 'refund_refused'],
  limit: 'complaining',
  changes: ['orders', 'shopMoney'],
});
