import { dollarsFromCents } from '#contract/money.ts';
import {
  isTimed,
  type OrderActor,
  type OrderMove,
  type OrderState,
  orderClocks,
  orderMovesOf,
  orderStateAfter,
} from '#contract/order-states.ts';
import type { Order } from '#contract/orders.ts';
import {
  commissionAfterRefund,
  type LedgerOrder,
  type Posting,
  refundDecidedPosting,
  releasePosting,
} from '../ledger/rules.ts';

/** An order with its laptop and its two people. */
export interface OrderedLaptop {
  id: string;
  number: string;
  booking_id: string;
  laptop_id: string;
  buyer_id: string;
  seller_id: string;
  transaction_id: string;
  price_cents: number;
  commission_cents: number;
  state: OrderState;
  due_at: Date | null;
  disputed_in: OrderState | null;
  cancel_reason: string | null;
  in_complaint: boolean;
  laptop_with_buyer: boolean;
  released_at: Date | null;
  refunded_cents: number;
  handover_code: string;
  wrong_codes: number;
  codes_locked_until: Date | null;
  laptop_name: string;
  laptop_images: string[];
  has_certificate: boolean;
  is_measured: boolean;
  buyer_name: string;
  seller_name: string;
}

/** What the shop charges for a sale. */
export interface Commission {
  /** Hundredths of a percent of the price. */
  basisPoints: number;
  fixedCents: number;
}

/** The commission on a price, in cents: rounded down, and at most the price. */
export function commissionOn(priceCents: number, { basisPoints, fixedCents }: Commission): number {
  return Math.min(priceCents, Math.floor((priceCents * basisPoints) / 10_000) + fixedCents);
}

/** Who a user is in an order; null when it is none of theirs. */
export function roleIn(
  order: Pick<OrderedLaptop, 'buyer_id' | 'seller_id'>,
  caller: { userId: string; role: 'Buyer' | 'Seller' | 'Admin' },
): Order['role'] | null {
  if (order.buyer_id === caller.userId) return 'buyer';
  if (order.seller_id === caller.userId) return 'seller';
  return caller.role === 'Admin' ? 'admin' : null;
}

/**
 * When a state that begins now ends by itself; null for never.
 * @param releasedAt when the order was released first; null for not yet
 */
export function dueAt(state: OrderState, now: Date, releasedAt: Date | null): Date | null {
  if (!isTimed(state)) return null;
  const since = state === 'released' ? (releasedAt ?? now) : now;
  return new Date(since.getTime() + orderClocks[state].afterMs);
}

/** Where a move leads; null when the order is not in a state that allows it. */
export function stateAfter(order: OrderedLaptop, move: OrderMove): OrderState | null {
  return orderStateAfter(move, order.state, {
    isWithBuyer: order.laptop_with_buyer,
    isReleased: order.released_at !== null,
    disputedIn: order.disputed_in,
  });
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
const creditedStates: readonly OrderState[] = ['released', 'completed', 'partly_refunded', 'charged_back'];

/** What a move gives back to the buyer, in cents. */
function amountBack(order: OrderedLaptop, to: OrderState, amountCents: number): number {
  // Back in the state before a dispute, which may have refunded a part.
  if (order.disputed_in === to) return 0;
  if (to === 'refunded') return order.price_cents - order.refunded_cents;
  return to === 'partly_refunded' || to === 'charged_back' ? amountCents : 0;
}

/** What a move does. */
export interface MoveEffects {
  to: OrderState;
  isWithBuyer: boolean;
  /** What goes back to the buyer, in cents, also through a bank. */
  backCents: number;
  /** The part of it that the shop refunds. */
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
export function effectsOf(
  order: OrderedLaptop,
  move: OrderMove,
  details: { amountCents?: number; isWithBuyer?: boolean },
): MoveEffects | null {
  const isWithBuyer = details.isWithBuyer ?? order.laptop_with_buyer;
  const to = stateAfter({ ...order, laptop_with_buyer: isWithBuyer }, move);
  if (to === null) return null;
  const backCents = amountBack(order, to, details.amountCents ?? 0);
  const refundCents = to === 'charged_back' ? 0 : backCents;
  const after = { ...order, refunded_cents: order.refunded_cents + backCents };
  const isCredited = order.released_at === null && creditedStates.includes(to);
  const postings = [
    ...(refundCents > 0 ? [refundDecidedPosting(toLedgerOrder(order), refundCents, order.id)] : []),
    ...(isCredited && after.refunded_cents < order.price_cents ? [releasePosting(toLedgerOrder(after))] : []),
  ];
  return { to, isWithBuyer, backCents, refundCents, isCredited, postings };
}

/** The response for an order. @param photoUrl makes the public URL of a stored photo */
export function toResponse(
  order: OrderedLaptop,
  role: Order['role'],
  { timeline, laptopChecks }: Pick<Order, 'timeline' | 'laptopChecks'>,
  photoUrl: (photo: string) => string,
): Order {
  const commission = commissionAfterRefund(toLedgerOrder(order), order.refunded_cents);
  const actor: OrderActor = role;
  return {
    _id: order.id,
    bookingId: order.booking_id,
    productCode: order.laptop_id,
    productName: order.laptop_name,
    image: photoUrl(order.laptop_images[0] ?? ''),
    hasCertificate: order.has_certificate,
    buyerName: order.buyer_name,
    sellerName: order.seller_name,
    role,
    price: dollarsFromCents(order.price_cents),
    refunded: dollarsFromCents(order.refunded_cents),
    state: order.state,
    dueAt: order.due_at?.toISOString() ?? null,
    ...(order.cancel_reason && { cancelReason: order.cancel_reason }),
    ...(role === 'buyer' && order.state === 'held' && { handoverCode: order.handover_code }),
    ...(role !== 'buyer' && {
      commission: dollarsFromCents(commission),
      proceeds: dollarsFromCents(order.price_cents - order.refunded_cents - commission),
    }),
    timeline,
    isMeasured: order.is_measured,
    laptopChecks,
    moves: orderMovesOf(actor, order.state),
  };
}

/** How many wrong codes lock the hand-over, and for how long, in milliseconds. */
const WRONG_CODES = 5;
const CODE_LOCK_MS = 60 * 60_000;

/** Until when codes are refused after one more wrong code; null while some tries are left. */
export function codesLockedUntil(wrongCodes: number, now: Date): Date | null {
  return wrongCodes % WRONG_CODES === 0 ? new Date(now.getTime() + CODE_LOCK_MS) : null;
}
