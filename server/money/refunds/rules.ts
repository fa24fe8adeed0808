import { DAY_MS } from '#contract/platform/durations.ts';

/** For each state, the states that can follow it, directly or indirectly. A state without any is final. */
export type Successors<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The states that can precede a state. An update to the state applies only to rows in one of these. */
export function statesBefore<State extends string>(order: Successors<State>, state: State): State[] {
  const states: State[] = [];
  for (const before in order) if (order[before].includes(state)) states.push(before);
  return states;
}

type RefundState = 'waiting' | 'pending' | 'done' | 'failed' | 'paid_by_bank' | 'paid_by_hand';

/**
 * States of a refund. A waiting one is not requested yet. One attempt is pending, then done or failed; a done one can fail when the
 * buyer's bank returns the money. A failed one is paid when the bank gives the buyer the money in a dispute, or an admin pays it
 * outside the card processor.
 */
export const refundStates = {
  waiting: ['pending', 'done', 'failed', 'paid_by_bank', 'paid_by_hand'],
  pending: ['done', 'failed', 'paid_by_bank', 'paid_by_hand'],
  done: ['failed', 'paid_by_bank', 'paid_by_hand'],
  failed: ['paid_by_bank', 'paid_by_hand'],
  paid_by_bank: [],
  paid_by_hand: [],
} as const satisfies Successors<RefundState>;

/** Why a payment is refunded; stored in the refund's row. */
export type RefundReason =
  | 'sold_to_another'
  | 'left_the_shop'
  | 'booking_cancelled'
  | 'paid_twice'
  | 'wrong_amount'
  | 'price_changed'
  | 'lock_found'
  | 'order_cancelled'
  | 'not_delivered'
  | 'complaint'
  | 'partial'
  | 'charged_back'
  /** An admin decided it, at the seller's cost. */
  | 'by_admin'
  /** An admin decided it, at the shop's own cost. */
  | 'goodwill'
  /** An operator made it at the card processor. */
  | 'made_at_processor'
  /** An operator made it at the card processor, and nothing was left to give back. */
  | 'unexplained';

/** The reason of a failed refund that a bank had paid in a dispute, which the shop won after all. */
export const TAKEN_BACK_BY_BANK = 'taken_back_by_bank';

/** The length of a refund's id, with which the reference of its attempts begins. */
export const REFERENCE_ID_LENGTH = 36;

/** The name of an attempt at a refund: in the ledger, and at the card processor. */
export const refundReference = ({ id, attempt }: { id: string; attempt: number }): string =>
  `${id}-${attempt}`;

/** How long unknown refunds and disputes in the card processor's balance are looked for, in milliseconds. */
export const UNKNOWN_MS = 35 * DAY_MS;

/** A refund that waits until the money is back from the seller, in cents. */
export interface WaitingAmount {
  amountCents: number;
  /** How much more the seller got for the order than is due. */
  overpaidCents: number;
}

/**
 * How much of each waiting refund of a seller's sales can be paid: what came back for its order, and what the seller owes less than what
 * waits.
 * @param debtCents what the seller owes the shop
 */
export function payableWaits(waiting: readonly WaitingAmount[], debtCents: number): number[] {
  const back = waiting.map(({ amountCents, overpaidCents }) => Math.max(0, amountCents - overpaidCents));
  const waits = waiting.reduce((total, { amountCents }) => total + amountCents, 0);
  let rest = Math.max(0, waits - debtCents - back.reduce((total, cents) => total + cents, 0));
  return waiting.map(({ amountCents }, index) => {
    const own = back[index] ?? 0;
    const more = Math.min(rest, amountCents - own);
    rest -= more;
    return own + more;
  });
}
