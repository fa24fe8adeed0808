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
import { commissionAfterRefund, type LedgerOrder } from '../ledger/rules.ts';

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

/** When a state that begins now ends by itself; null for never. */
export function dueAt(state: OrderState, now: Date): Date | null {
  return isTimed(state) ? new Date(now.getTime() + orderClocks[state].afterMs) : null;
}

/** Where a move leads; null when the order is not in a state that allows it. */
export function stateAfter(order: OrderedLaptop, move: OrderMove): OrderState | null {
  return orderStateAfter(move, order.state, {
    isWithBuyer: order.laptop_with_buyer,
    isReleased: order.released_at !== null,
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
