import {
  AFTER_DISPUTE_MS,
  deadlineMoveOf,
  deadlineMs,
  type HandOverState,
  isTimed,
  latestMeeting,
  type OpenComplaintState,
  type OrderMove,
  type OrderState,
  orderMovesOf,
  orderStateAfter,
  type ParcelNews,
  RETURN_PARCEL_MS,
  releaseTime,
  type TimedOrderState,
} from '#contract/money/order-states.ts';
import { HOUR_MS } from '#contract/platform/durations.ts';
import { amountFromCents, currency } from '#contract/platform/money.ts';
import type { PayoutAfter } from '#contract/platform/shop-settings.ts';
import type { TrackingState } from '#contract/sales/labels.ts';
import type { Order, Parcel } from '#contract/sales/orders.ts';
import { type RatingColumns, ratedPeople } from '#server/listings/catalogue/rules.ts';
import {
  commissionAfterRefund,
  type LedgerOrder,
  type Posting,
  refundDecidedPosting,
  releasePosting,
} from '#server/money/ledger/rules.ts';
import { signedAmount } from '#server/money/payouts/rules.ts';
import type { RefundReason } from '#server/money/refunds/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { type AddressColumns, printedAddress } from '../addresses/rules.ts';
import { isAddressShown } from '../bookings/rules.ts';

/** An order with its laptop, buyer and seller. */
export interface OrderedLaptop extends Row<'orders'>, RatingColumns, AddressColumns {
  laptop_name: string;
  laptop_images: string[];
  has_certificate: boolean;
  is_measured: boolean;
  buyer_name: string;
  seller_name: string;
  /** Null for nothing that people need to know of its parcel. */
  news: ParcelNews | null;
}

type PromisedOrder = Pick<OrderedLaptop, 'promised_until' | 'released_at' | 'delivered_at'>;

const later = (one: Date, other: Date): Date => new Date(Math.max(one.getTime(), other.getTime()));

/**
 * The deadline of a state that begins now, null for one without, and what the order is promised from now on: until the release or the
 * delivery the end of the hold or the sending, and then the end of the time for complaints. A setting that was changed since shortens
 * neither.
 * @param order before the move
 * @param details.meetingAt the meeting on which buyer and seller agreed; null without one
 * @param details.isByParcel whether the laptop returns by parcel
 * @param details.isDisputeWon whether a bank decided for the shop
 */
export function deadlinesAfter(
  { promised_until, released_at, delivered_at }: PromisedOrder,
  to: OrderState,
  now: Date,
  details: { meetingAt?: Date | null; isByParcel?: boolean; isDisputeWon?: boolean } = {},
): Pick<OrderedLaptop, 'due_at' | 'promised_until'> {
  const { meetingAt = null, isByParcel = false, isDisputeWon = false } = details;
  if (!isTimed(to)) return { due_at: null, promised_until };
  const end = new Date(now.getTime() + deadlineMs(to));
  if (to === 'held' || to === 'to_ship') {
    const promised = later(end, promised_until);
    return { due_at: releaseTime({ since: now, promised }, meetingAt), promised_until: promised };
  }
  if (to === 'released' || to === 'delivered') {
    const promised = released_at === null && delivered_at === null ? end : promised_until;
    const least = new Date(now.getTime() + AFTER_DISPUTE_MS);
    return { due_at: isDisputeWon ? later(promised, least) : promised, promised_until: promised };
  }
  const isReturning = to === 'return_reported' && isByParcel;
  return { due_at: isReturning ? new Date(now.getTime() + RETURN_PARCEL_MS) : end, promised_until };
}

/** The state in which an order waits for the hand-over, or for its parcel. */
export function handOverState({
  delivery,
  shipped_at,
  delivered_at,
}: Pick<OrderedLaptop, 'delivery' | 'shipped_at' | 'delivered_at'>): HandOverState {
  if (delivery === 'meet') return 'held';
  if (shipped_at === null) return 'to_ship';
  return delivered_at === null ? 'shipped' : 'delivered';
}

/** The party that must act in each state of a complaint before its deadline. */
export const responsibleParty = {
  complaint: 'seller',
  offered: 'buyer',
  contested: 'admin',
  awaiting_return: 'buyer',
  return_reported: 'seller',
} as const satisfies Record<OpenComplaintState, 'buyer' | 'seller' | 'admin'>;

/** Whether a laptop returns by parcel, to an address of its seller. */
export const takesReturnAddress = ({ state, delivery }: Pick<OrderedLaptop, 'state' | 'delivery'>): boolean =>
  state === 'awaiting_return' && delivery === 'ship';

/** The moves after which the seller has a laptop again that was sent. */
export const movesReturningLaptop: readonly OrderMove[] = ['take_back', 'confirm_return', 'assume_return'];

/** The moves by which money goes back and nobody says where the laptop is: a parcel that has arrived is with the buyer. */
export const refundsWithLaptopUnknown: readonly OrderMove[] = [
  'refund_rest',
  'refund_outside',
  'lose_dispute',
];

/** Whether a carrier has the laptop of an order, or has lost it, after a move that ended the sale. */
export const isWithCarrier = (
  { shipped_at, laptop_with_buyer }: Pick<OrderedLaptop, 'shipped_at' | 'laptop_with_buyer'>,
  move: OrderMove,
): boolean => shipped_at !== null && !laptop_with_buyer && !movesReturningLaptop.includes(move);

/** When an order's parcel was sent and delivered, after it came to a state. A parcel that is sent again begins anew. */
export function parcelTimesAfter(
  { shipped_at, delivered_at }: Pick<OrderedLaptop, 'shipped_at' | 'delivered_at'>,
  to: OrderState,
  now: Date,
): Pick<OrderedLaptop, 'shipped_at' | 'delivered_at'> {
  if (to === 'to_ship') return { shipped_at: null, delivered_at: null };
  if (to === 'shipped') return { shipped_at: shipped_at ?? now, delivered_at };
  if (to === 'delivered') return { shipped_at, delivered_at: delivered_at ?? now };
  return { shipped_at, delivered_at };
}

/** The state that a move leads to; null when the order is not in a state that allows it. */
export function stateAfter(order: OrderedLaptop, move: OrderMove): OrderState | null {
  return orderStateAfter(move, order.state, {
    isWithBuyer: order.laptop_with_buyer,
    isReleased: order.released_at !== null,
    disputedIn: order.disputed_in,
    handOverState: handOverState(order),
  });
}

/** The move after the deadline of an order's state, see {@link deadlineMoveOf}. */
export const deadlineMoveAfter = (
  order: Pick<OrderedLaptop, 'seller_ended_at' | 'laptop_with_buyer'>,
  state: TimedOrderState,
): OrderMove =>
  deadlineMoveOf(state, {
    isSellerEnded: order.seller_ended_at !== null,
    isWithBuyer: order.laptop_with_buyer,
  });

/** The state to which an order comes when a bank has decided for the shop, after a move; null without a dispute. */
function disputedInAfter(order: OrderedLaptop, move: OrderMove, to: OrderState): OrderState | null {
  if (to !== 'charge_disputed') return null;
  const { state, disputed_in } = order;
  return disputed_in === null ? state : stateAfter({ ...order, state: disputed_in, disputed_in: null }, move);
}

/** The part of an order that the ledger depends on. */
export const toLedgerOrder = (order: OrderedLaptop): LedgerOrder => ({
  id: order.id,
  sellerId: order.seller_id,
  priceCents: order.price_cents,
  commissionCents: order.commission_cents,
  refundedCents: order.refunded_cents,
  isReleased: order.released_at !== null,
});

/** The states in which the seller has been credited with what was not refunded. */
const creditedStates: readonly OrderState[] = ['released', 'completed', 'charged_back'];

/** Whether an order has ended. */
export const isOrderOver = (state: OrderState): boolean =>
  state === 'completed' || state === 'refunded' || state === 'charged_back';

/** What of the price has not gone back to the buyer, in cents. */
export const remainingPriceCents = ({
  price_cents,
  refunded_cents,
  goodwill_cents,
}: Pick<OrderedLaptop, 'price_cents' | 'refunded_cents' | 'goodwill_cents'>): number =>
  Math.max(0, price_cents - refunded_cents - goodwill_cents);

/** The moves after which a part of the price goes back. */
const partMoves: readonly OrderMove[] = ['take_offer', 'take_offer_late', 'decide_part'];

/** The amount that a move returns to the buyer at the cost of the sale, in cents. */
function returnedAmount(
  order: OrderedLaptop,
  [move, to]: readonly [OrderMove, OrderState],
  amountCents: number,
): number {
  if (to === 'refunded') return order.price_cents - order.refunded_cents;
  if (to === 'charged_back') return amountCents;
  // Since an offer was made, more can have gone back.
  return partMoves.includes(move) ? Math.min(amountCents, remainingPriceCents(order)) : 0;
}

/** Why a move gives money back to the buyer; null when that was done outside the shop. @param to the state after the move */
export function refundReasonOf(move: OrderMove, to: OrderState): RefundReason | null {
  switch (move) {
    case 'refund_outside':
      return null;
    case 'cancel':
      return 'order_cancelled';
    case 'not_shipped':
    case 'not_handed_over':
    case 'lose_parcel':
    case 'take_back':
      return 'not_delivered';
    case 'lose_dispute':
      return 'charged_back';
    case 'refund_rest':
      return 'by_admin';
    default:
      return to === 'released' ? 'partial' : 'complaint';
  }
}

/** The changes that a move makes to an order. */
export interface MoveEffects {
  to: OrderState;
  /** The state to which the order comes when the bank has decided for the shop; null without a dispute. */
  disputedIn: OrderState | null;
  isWithBuyer: boolean;
  /** The amount that the sale bears, in cents: refunded by the shop, or taken back by the bank. */
  returnedCents: number;
  /** The part of it that the buyer got before as goodwill. The shop gets that back: the sale bears the whole price. */
  goodwillCents: number;
  /** The part of `returnedCents` that the shop refunds. */
  refundCents: number;
  /** Whether the move credits the seller. */
  isCredited: boolean;
  postings: readonly Posting[];
}

/**
 * What a move does to an order; null when the order is not in a state that allows it.
 * @param details.amountCents the part of the price that is refunded, or taken back by a bank
 * @param details.isWithBuyer whether the buyer has the laptop from now on, where the move says so
 */
export function moveEffects(
  order: OrderedLaptop,
  move: OrderMove,
  details: { amountCents?: number | undefined; isWithBuyer?: boolean | undefined },
): MoveEffects | null {
  // A laptop that its buyer has does not turn back.
  if (move === 'turn_back' && order.laptop_with_buyer) return null;
  const isWithBuyer =
    details.isWithBuyer ?? (move === 'complete' || move === 'turn_back' || order.laptop_with_buyer);
  const to = stateAfter({ ...order, laptop_with_buyer: isWithBuyer }, move);
  if (to === null) return null;
  const returnedCents = returnedAmount(order, [move, to], details.amountCents ?? 0);
  const decidedCents = to === 'charged_back' ? 0 : returnedCents;
  const after = { ...order, refunded_cents: order.refunded_cents + returnedCents };
  // A laptop that its seller has again was not sold: what the bank left of the price goes back as well.
  const isUndone = to === 'charged_back' && !isWithBuyer;
  const restCents = isUndone ? order.price_cents - after.refunded_cents : 0;
  const goodwillCents = to === 'refunded' ? order.goodwill_cents : Math.min(order.goodwill_cents, restCents);
  const isCredited = order.released_at === null && creditedStates.includes(to) && !isUndone;
  const postings = [
    ...(decidedCents > 0 ? [refundDecidedPosting(toLedgerOrder(order), decidedCents, goodwillCents)] : []),
    ...(restCents > 0 ? [refundDecidedPosting(toLedgerOrder(after), restCents, goodwillCents)] : []),
    ...(isCredited && after.refunded_cents < order.price_cents ? [releasePosting(toLedgerOrder(after))] : []),
  ];
  return {
    to,
    disputedIn: disputedInAfter(order, move, to),
    isWithBuyer,
    returnedCents: returnedCents + restCents,
    goodwillCents,
    refundCents: decidedCents + restCents - goodwillCents,
    isCredited,
    postings,
  };
}

/** What the seller gets of an order, in cents; negative when the seller owes it. @param labelCents what the seller bears of labels */
export const proceedsCents = (order: OrderedLaptop, labelCents: number | null): number =>
  order.price_cents -
  order.refunded_cents -
  commissionAfterRefund(toLedgerOrder(order), order.refunded_cents) -
  (labelCents ?? 0);

/** What a party of an order sees of a parcel. */
const shownParcel = ({ insurance, formerAddress, ...parcel }: Parcel, role: Order['role']): Parcel => ({
  ...parcel,
  ...(formerAddress !== undefined && { formerAddress: role === 'seller' ? '' : formerAddress }),
  ...(role !== 'buyer' && insurance !== undefined && { insurance }),
});

/** The response for an order. @param photoUrl makes the public URL of a stored photo */
export function toResponse(
  order: OrderedLaptop,
  role: Order['role'],
  {
    labelCents,
    payoutAfter,
    parcels,
    packingPhotos,
    ...history
  }: Pick<Order, 'timeline' | 'laptopChecks' | 'laptopCode' | 'refunds' | 'parcels' | 'packingPhotos'> & {
    payoutAfter: PayoutAfter;
    /** What the seller bears of the shop’s labels; null without any. */
    labelCents: number | null;
  },
  photoUrl: (photo: string) => string,
): Order {
  const shipTo = role === 'buyer' || isAddressShown(order.state) ? printedAddress(order) : undefined;
  const commission = commissionAfterRefund(toLedgerOrder(order), order.refunded_cents);
  return {
    _id: order.id,
    bookingId: order.booking_id,
    productCode: order.laptop_id,
    productName: order.laptop_name,
    image: photoUrl(order.laptop_images[0] ?? ''),
    hasCertificate: order.has_certificate,
    buyerName: order.buyer_name,
    sellerName: order.seller_name,
    ...ratedPeople(order),
    role,
    price: amountFromCents(order.price_cents),
    currency: currency.code,
    refunded: amountFromCents(order.refunded_cents),
    goodwill: amountFromCents(order.goodwill_cents),
    state: order.state,
    dueAt: order.due_at?.toISOString() ?? null,
    delivery: order.delivery,
    ...(shipTo !== undefined && { shipTo }),
    parcels: parcels.map((parcel) => shownParcel(parcel, role)),
    packingPhotos: packingPhotos.map(({ photo, at }) => ({ photo: photoUrl(photo), at })),
    ...(order.news !== null && { news: order.news }),
    ...(order.seller_ended_at !== null && { sellerHasEnded: true }),
    laptopWithBuyer: order.laptop_with_buyer,
    ...(order.state === 'held' && { meetBy: latestMeeting(order.state_since).toISOString() }),
    ...(order.cancel_reason && { cancelReason: order.cancel_reason }),
    ...(role === 'buyer' && order.state === 'held' && { handoverCode: order.handover_code }),
    ...(role !== 'buyer' && {
      commission: amountFromCents(commission),
      ...(labelCents !== null && { labels: amountFromCents(labelCents) }),
      proceeds: signedAmount(proceedsCents(order, labelCents)),
    }),
    payoutAfter,
    ...history,
    isMeasured: order.is_measured,
    moves: orderMovesOf(role, order.state),
  };
}

/** The response for a parcel. */
export const toParcel = (
  row: Pick<Row<'parcels'>, 'way' | 'carrier' | 'tracking_number' | 'sent_at' | 'report'> &
    Pick<Row<'labels'>, 'tracked_at' | 'former_address' | 'claim_paid_cents'> & {
      /** Of the label with its number; null without one. */
      tracking: TrackingState | null;
      claim: string | null;
      claim_returnable: 'found' | 'if_found' | null;
    },
): Parcel => ({
  way: row.way,
  carrier: row.carrier,
  trackingNumber: row.tracking_number,
  at: row.sent_at.toISOString(),
  ...(row.report !== '' && { report: row.report }),
  ...(row.tracking !== null &&
    row.tracked_at !== null && { tracking: { state: row.tracking, at: row.tracked_at.toISOString() } }),
  ...(row.former_address !== null && { formerAddress: row.former_address }),
  ...(row.claim !== null && {
    insurance: {
      isAsked: row.claim === 'open',
      paid: amountFromCents(row.claim_paid_cents ?? 0),
      ...(row.claim_returnable !== null && { returnable: row.claim_returnable }),
    },
  }),
});

/** The number of wrong codes that lock the hand-over, and for how long, in milliseconds. */
const WRONG_CODES_PER_LOCK = 5;
const CODE_LOCK_MS = HOUR_MS;

/** Until when codes are refused. @param wrongCodes the number of wrong codes so far @returns null while tries are left */
export function codesRefusedUntil(wrongCodes: number, now: Date): Date | null {
  return wrongCodes % WRONG_CODES_PER_LOCK === 0 ? new Date(now.getTime() + CODE_LOCK_MS) : null;
}
