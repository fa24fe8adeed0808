import * as z from 'zod/mini';
import { type Delivery, orderStates } from '#contract/money/order-states.ts';
import { ratedPeople } from '#contract/people/ratings.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import {
  Id,
  Inserted,
  Modified,
  MoneyAmount,
  optionalText,
  Paging,
  price,
  text,
} from '#contract/platform/scalars.ts';
import { photoUrls } from './photo-urls.ts';
import { TrackedParcel } from './shipping.ts';

/** What a buyer can complain about, by the words on the form. */
export const complaintKinds = {
  not_as_described: 'It is not as described',
  locked: 'It is locked',
  does_not_work: 'It does not work',
  not_handed_over: 'It was not handed over',
  not_taken: 'I looked at it and did not take it',
  damaged: 'It arrived damaged',
  not_arrived: 'It has not arrived',
} as const;
export type ComplaintKind = keyof typeof complaintKinds;

/** The kinds of complaints, in the order of the form. */
export const complaintKindNames = [
  'not_as_described',
  'locked',
  'does_not_work',
  'damaged',
  'not_taken',
  'not_handed_over',
  'not_arrived',
] as const satisfies readonly ComplaintKind[];
const Kind = z.enum(complaintKindNames, { error: 'Choose what is wrong' });

/** Whether a kind of complaint fits the way in which the laptop comes to the buyer. */
export const isOfDelivery = (kind: ComplaintKind, delivery: Delivery): boolean =>
  delivery === 'ship'
    ? kind !== 'not_taken' && kind !== 'not_handed_over'
    : kind !== 'damaged' && kind !== 'not_arrived';

/**
 * Whether a buyer who complains has the laptop, so that it returns before the price does. Without it nothing can be offered either:
 * the price goes back, or the laptop is handed over.
 */
export const isAboutOwnLaptop = (kind: ComplaintKind): boolean =>
  kind !== 'not_handed_over' && kind !== 'not_taken' && kind !== 'not_arrived';

/** Whether a buyer who complains says that the laptop is not what its listing, its measurement and its inspection say. */
export const isAboutCondition = (kind: ComplaintKind): boolean =>
  kind !== 'not_handed_over' && kind !== 'not_arrived';

/** The number of photos of one statement. */
export const MAXIMUM_STATEMENT_PHOTOS = 6;
/** The number of complaints about one order. It bounds how often a complaint can delay the release. */
export const MAXIMUM_COMPLAINTS = 3;
/** The maximum number of statements of one complaint: with a move or without. */
export const MAXIMUM_STATEMENTS = 50;
/** How many statements without a move each side can add to one complaint. */
export const MAXIMUM_OWN_STATEMENTS = 8;
/** How many offers the seller can make about one complaint. */
export const MAXIMUM_OFFERS = 3;
/** How often an admin can decide that the laptop returns. Without a bound the seller could deny each return for ever. */
export const MAXIMUM_RETURN_DECISIONS = 2;

const photos = z._default(
  photoUrls(MAXIMUM_STATEMENT_PHOTOS, `A statement can have up to ${MAXIMUM_STATEMENT_PHOTOS} photos`),
  [],
);

/** The moves of an order that a complaint makes, by who makes them. */
export const buyerAnswers = ['withdraw', 'take_offer', 'decline_offer', 'report_return'] as const;
export const sellerAnswers = ['accept', 'offer', 'contest', 'confirm_return', 'deny_return'] as const;
export const decisionsOfComplaint = [
  'decide_return',
  'decide_refund',
  'decide_part',
  'decide_release',
] as const;

/** A statement of the buyer, the seller or an admin about a complaint. */
export const Statement = z.object({
  _id: Id,
  /** ISO 8601 in UTC. */
  at: z.string(),
  by: z.enum(['buyer', 'seller', 'admin']),
  /** The move of the order that the statement made; null for a statement alone. */
  move: z.nullable(z.enum(['complain', ...buyerAnswers, ...sellerAnswers, ...decisionsOfComplaint])),
  text: z.string(),
  /** The part of the price that is offered or goes back. */
  amount: z.optional(MoneyAmount),
  photos: z.array(z.string()),
});
export type Statement = z.infer<typeof Statement>;

/** A complaint about an order, for its buyer, its seller and the admins. */
export const Complaint = z.object({
  _id: Id,
  kind: z.enum(complaintKindNames),
  /** Whether it is not settled yet. */
  isOpen: z.boolean(),
  /** The part of the price that the seller offers now; null without an offer. */
  offered: z.nullable(MoneyAmount),
  /** Oldest first. */
  statements: z.array(Statement).check(z.maxLength(MAXIMUM_STATEMENTS)),
});
export type Complaint = z.infer<typeof Complaint>;

const OfOrder = z.object({ _id: Id });

export const listComplaintsOfOrder = endpoint({
  method: 'GET',
  path: '/orders/:_id/complaints',
  access: 'signed-in',
  summary: 'The complaints about an order with both sides’ words, newest first',
  params: OfOrder,
  response: z.array(Complaint).check(z.maxLength(MAXIMUM_COMPLAINTS)),
  refusals: ['not_found'],
});

export const complain = endpoint({
  method: 'POST',
  path: '/orders/:_id/complaints',
  access: ['Buyer'],
  summary: 'Complains about an order: no money moves until the complaint is settled',
  params: OfOrder,
  body: z.object({ kind: Kind, text: text(2000, 'Describe what is wrong'), photos }),
  response: Inserted,
  refusals: ['not_found', 'order_moved', 'complaint_refused', 'invalid_input'],
  idempotencyKey: true,
  limit: 'complaining',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

export const sayAboutComplaint = endpoint({
  method: 'POST',
  path: '/orders/:_id/statements',
  access: 'signed-in',
  summary: 'Adds words and photos to the open complaint about an order',
  params: OfOrder,
  body: z.object({ text: text(2000, 'Write what you want to say'), photos }),
  response: Inserted,
  refusals: ['not_found', 'order_moved', 'complaint_refused', 'invalid_input'],
  idempotencyKey: true,
  limit: 'complaining',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

export const answerAsBuyer = endpoint({
  method: 'PUT',
  path: '/orders/:_id/complaint/buyer',
  access: ['Buyer'],
  summary:
    'The buyer takes the complaint back, answers the seller’s offer, or says that the laptop is back with the seller',
  params: OfOrder,
  body: z
    .object({
      move: z.enum(buyerAnswers, { error: 'Choose an answer' }),
      /** The offer that the buyer has seen. */
      amount: z.optional(price('Name the offer')),
      text: optionalText(2000),
      photos,
      /** The parcel in which the laptop returns; only with the move `report_return`. */
      parcel: z.optional(TrackedParcel),
    })
    .check(
      z.refine(({ move, parcel }) => parcel === undefined || move === 'report_return', {
        path: ['parcel'],
        error: 'Only a return has a parcel',
      }),
      z.refine(({ move, amount }) => (move === 'take_offer') === (amount !== undefined), {
        path: ['amount'],
        error: 'Only an accepted offer has an amount',
      }),
    ),
  response: Modified,
  refusals: ['not_found', 'order_moved', 'complaint_refused', 'price_differs', 'invalid_input'],
  limit: 'complaining',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

export const answerAsSeller = endpoint({
  method: 'PUT',
  path: '/orders/:_id/complaint/seller',
  access: ['Seller'],
  summary:
    'The seller gives the price back, offers a part of it, contradicts, or answers whether the laptop is back',
  params: OfOrder,
  body: z
    .object({
      move: z.enum(sellerAnswers, { error: 'Choose an answer' }),
      /** The part of the price that is offered. */
      amount: z.optional(price('Name the part of the price')),
      /** Whether the laptop came back damaged, so that the insurance of its return label is claimed. Only with `confirm_return`. */
      isDamaged: z.optional(z.boolean()),
      text: optionalText(2000),
      photos,
    })
    .check(
      z.refine(({ move, amount }) => (move === 'offer') === (amount !== undefined), {
        path: ['amount'],
        error: 'Name the part of the price that you offer',
      }),
      z.refine(
        ({ move, isDamaged, text: words }) =>
          !(isDamaged || ['contest', 'deny_return'].includes(move)) || words !== undefined,
        { path: ['text'], error: 'Say how you see it, in a sentence' },
      ),
      z.refine(({ move, isDamaged }) => !isDamaged || move === 'confirm_return', {
        path: ['isDamaged'],
        error: 'Only a return can arrive damaged',
      }),
    ),
  response: Modified,
  refusals: ['not_found', 'order_moved', 'complaint_refused', 'invalid_input'],
  limit: 'complaining',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

export const cancelSale = endpoint({
  method: 'PUT',
  path: '/orders/:_id/cancel',
  access: ['Seller'],
  summary: 'Gives a sale up before the hand-over: the buyer gets the whole price back',
  params: OfOrder,
  body: z.object({ text: text(1000, 'Tell the buyer why, in a sentence') }),
  response: Modified,
  refusals: ['not_found', 'order_moved'],
  limit: 'complaining',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

export const decideComplaint = endpoint({
  method: 'PUT',
  path: '/orders/:_id/complaint/decision',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Decides what buyer and seller see differently',
  params: OfOrder,
  body: z
    .object({
      move: z.enum(decisionsOfComplaint, { error: 'Choose a decision' }),
      /** The part of the price that goes back. */
      amount: z.optional(price('Name the part of the price')),
      text: text(2000, 'Tell both why, in a sentence'),
    })
    .check(
      z.refine(({ move, amount }) => (move === 'decide_part') === (amount !== undefined), {
        path: ['amount'],
        error: 'Name the part of the price that goes back',
      }),
    ),
  response: Modified,
  refusals: ['not_found', 'order_moved', 'complaint_refused', 'invalid_input'],
  limit: 'complaining',
  changes: ['bookings', 'myBuyers', 'complaints', 'waitingRefunds'],
});

/** The lists of complaints: those that an admin can decide, and those that are closed. */
export const complaintLists = ['open', 'closed'] as const;

/** A complaint in the admins' list. */
export const ComplaintItem = z.object({
  _id: Id,
  orderId: Id,
  kind: z.enum(complaintKindNames),
  productName: z.string(),
  image: z.string(),
  price: MoneyAmount,
  buyerName: z.string(),
  sellerName: z.string(),
  ...ratedPeople,
  state: z.enum(orderStates),
  /** ISO 8601 in UTC. */
  complainedAt: z.string(),
  /** When the order moves on by itself, ISO 8601 in UTC; null when it does not. */
  dueAt: z.nullable(z.string()),
});
export type ComplaintItem = z.infer<typeof ComplaintItem>;

export const listComplaints = endpoint({
  method: 'GET',
  path: '/complaints',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Complaints: the open ones with the contested ones first, or the closed ones, newest first',
  query: z.extend(Paging, {
    list: z._default(z.enum(complaintLists, { error: 'list is open or closed' }), 'open'),
  }),
  response: z.array(ComplaintItem),
});
