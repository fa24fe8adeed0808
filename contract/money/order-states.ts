import { deadlines } from '#contract/platform/deadlines.ts';
import { DAY_MS } from '../platform/durations.ts';

// The states of an order, as data: each move with who may make it, from which states, and where it leads; and the deadline of
// each state that waits for somebody. The server applies it; pages offer what it allows.

/**
 * Who moves an order. `deadline`: time ran out. `bank`: the buyer's bank decides about a dispute. `shop`: an operator, at the card
 * processor. `carrier`: reports about a parcel whose label the shop bought.
 */
export type OrderActor = 'buyer' | 'seller' | 'admin' | 'deadline' | 'bank' | 'shop' | 'carrier';

/**
 * The states of an order:
 * - `held`: paid, to be handed over when both meet; the shop holds the money;
 * - `to_ship`: paid, to be handed to a carrier; the shop holds the money, as in the next two;
 * - `shipped`: the carrier has the parcel;
 * - `delivered`: the parcel has arrived, and the buyer has time to look at the laptop;
 * - `complaint`: the buyer complained, and the seller has to answer;
 * - `offered`: the seller offered a part of the price, and the buyer has to answer;
 * - `contested`: the seller contradicts, and an admin decides;
 * - `awaiting_return`: the buyer gets the money when the laptop is back;
 * - `return_reported`: the buyer says that it is back, and the seller has to confirm;
 * - `released`: the money is the seller's; a complaint is still possible;
 * - `charge_disputed`: the buyer's bank decides;
 * - `completed`: the time for complaints is over; a bank's dispute and a refund by the shop are still possible;
 * - `refunded`, `charged_back`: final.
 */
export const orderStates = [
  'held',
  'to_ship',
  'shipped',
  'delivered',
  'complaint',
  'offered',
  'contested',
  'awaiting_return',
  'return_reported',
  'released',
  'charge_disputed',
  'completed',
  'refunded',
  'charged_back',
] as const;
export type OrderState = (typeof orderStates)[number];

/** How a laptop comes to its buyer: both meet, or the seller sends it. */
export const deliveries = ['meet', 'ship'] as const;
export type Delivery = (typeof deliveries)[number];

/** The states of an order by parcel before the money is released. */
export const parcelStates = ['to_ship', 'shipped', 'delivered'] as const satisfies readonly OrderState[];

/**
 * What people need to know of a parcel: in the state `shipped` a carrier's report (`failure`: as tracking), or that it does not arrive;
 * in `awaiting_return`, that its seller has not said to which address the laptop returns.
 */
export const parcelNews = [
  'available_for_pickup',
  'return_to_sender',
  'failure',
  'late',
  'no_return_address',
] as const;
export type ParcelNews = (typeof parcelNews)[number];

/** The states in which the shop holds the money without a complaint. */
const handOverStates = ['held', ...parcelStates] as const;
export type HandOverState = (typeof handOverStates)[number];

/** A state to which a move leads, or a fact about the order that decides. */
type Target =
  | OrderState
  /** Whether the buyer has the laptop: then it returns before the money does. */
  | { ifWithBuyer: OrderState; otherwise: OrderState }
  /**
   * Whether the money was never released and the buyer does not have the laptop: then the hand-over or the parcel is still to come,
   * in the state `OrderFacts.handOverState`.
   */
  | { ifNotHandedOver: 'hand_over_state'; otherwise: OrderState }
  /** The state in which the bank found the order. */
  | 'as_before_dispute'
  /** That state. While a bank decides, the order waits for the bank first. */
  | { evenInDispute: OrderState };

interface Move {
  by: OrderActor;
  from: readonly OrderState[];
  to: Target;
}

/** The money goes back, after the laptop if the buyer has it. */
const refund = { ifWithBuyer: 'awaiting_return', otherwise: 'refunded' } as const;

/** The states in which a complaint can be decided. */
const complaintStates = ['complaint', 'offered', 'contested'] as const;

/** The states in which a complaint is open. */
export const openComplaintStates = [...complaintStates, 'awaiting_return', 'return_reported'] as const;
export type OpenComplaintState = (typeof openComplaintStates)[number];

export const orderMoves = {
  /** The seller enters the buyer's code. */
  hand_over: { by: 'seller', from: ['held'], to: 'released' },
  /** The buyer says that all is well. */
  confirm: { by: 'buyer', from: ['held', 'delivered'], to: 'released' },
  /** Nobody complained. */
  release: { by: 'deadline', from: ['held'], to: 'released' },
  /** An admin ended the seller's account, and the buyer did not confirm that the laptop was handed over. */
  not_handed_over: { by: 'deadline', from: ['held', 'offered'], to: 'refunded' },
  /** The seller cancels the sale before the hand-over. */
  cancel: { by: 'seller', from: ['held', 'to_ship'], to: 'refunded' },
  /** The seller handed the parcel to a carrier. */
  ship: { by: 'seller', from: ['to_ship'], to: 'shipped' },
  /** The carrier reports that it has the parcel. */
  collect: { by: 'carrier', from: ['to_ship'], to: 'shipped' },
  /** The carrier reports that the parcel was delivered. */
  deliver: { by: 'carrier', from: ['shipped'], to: 'delivered' },
  /** The seller did not send it in time. */
  not_shipped: { by: 'deadline', from: ['to_ship'], to: 'refunded' },
  /** The buyer has the parcel. */
  receive: { by: 'buyer', from: ['shipped'], to: 'delivered' },
  /** The seller proves that the parcel was delivered. */
  prove_delivery: { by: 'seller', from: ['shipped'], to: 'delivered' },
  /** An admin decides that the parcel was delivered. */
  decide_delivered: { by: 'admin', from: ['shipped'], to: 'delivered' },
  /** The parcel came back to the seller: refused, not fetched, or to a wrong address. */
  take_back: { by: 'seller', from: ['shipped'], to: 'refunded' },
  /** The parcel came back to the seller, who sends it again. */
  send_again: { by: 'seller', from: ['shipped'], to: 'to_ship' },
  /** Nobody knows where the parcel is. The seller chose the carrier and bears it. */
  lose_parcel: { by: 'deadline', from: ['shipped'], to: 'refunded' },
  /** The buyer complains. */
  complain: { by: 'buyer', from: ['held', 'shipped', 'delivered', 'released'], to: 'complaint' },
  /** The buyer takes the complaint back. */
  withdraw: {
    by: 'buyer',
    from: [...complaintStates, 'awaiting_return'],
    to: { ifNotHandedOver: 'hand_over_state', otherwise: 'released' },
  },
  /** The seller agrees to give the whole price back. */
  accept: { by: 'seller', from: complaintStates, to: refund },
  /** The seller offers a part of the price. */
  offer: { by: 'seller', from: ['complaint', 'contested'], to: 'offered' },
  /** The seller contradicts. */
  contest: { by: 'seller', from: ['complaint'], to: 'contested' },
  /** The seller did not answer. */
  accept_late: { by: 'deadline', from: ['complaint'], to: refund },
  /** The seller did not answer, and the carrier reports as delivered what the buyer misses: an admin decides. */
  contest_late: { by: 'deadline', from: ['complaint'], to: 'contested' },
  /** The buyer takes the offer, and keeps the laptop. */
  take_offer: { by: 'buyer', from: ['offered'], to: 'released' },
  /** The buyer declines the offer. */
  decline_offer: { by: 'buyer', from: ['offered'], to: 'contested' },
  /** The buyer did not answer the offer. */
  take_offer_late: { by: 'deadline', from: ['offered'], to: 'released' },
  /** An admin decides for the buyer; the laptop returns first if the buyer has it. */
  decide_return: { by: 'admin', from: complaintStates, to: refund },
  /** An admin decides for the buyer, who need not return the laptop. */
  decide_refund: {
    by: 'admin',
    from: openComplaintStates,
    to: 'refunded',
  },
  /** An admin decides that the buyer keeps the laptop and gets a part of the price. */
  decide_part: { by: 'admin', from: complaintStates, to: 'released' },
  /** An admin decides for the seller. */
  decide_release: {
    by: 'admin',
    from: openComplaintStates,
    to: 'released',
  },
  /** No admin decided in time: the buyer must not bear that. */
  decide_late: { by: 'deadline', from: ['contested'], to: refund },
  /** The buyer says that the laptop is back. */
  report_return: { by: 'buyer', from: ['awaiting_return'], to: 'return_reported' },
  /** The carrier reports that it has the parcel in which the laptop returns. */
  collect_return: { by: 'carrier', from: ['awaiting_return'], to: 'return_reported' },
  /** The carrier brings the laptop back to the buyer, because the seller did not take it: an admin decides. */
  turn_back: {
    by: 'carrier',
    from: ['return_reported', 'offered', 'contested'],
    to: { evenInDispute: 'contested' },
  },
  /** The seller has the laptop back. */
  confirm_return: { by: 'seller', from: ['awaiting_return', 'return_reported'], to: 'refunded' },
  /** The seller says that it is not back. */
  deny_return: { by: 'seller', from: ['return_reported'], to: 'contested' },
  /** The buyer did not return the laptop. */
  keep_laptop: { by: 'deadline', from: ['awaiting_return'], to: 'released' },
  /** The seller did not say to which address the laptop returns: the buyer must not bear that. */
  not_addressed: { by: 'deadline', from: ['awaiting_return'], to: 'refunded' },
  /** The seller did not answer about the return. */
  assume_return: { by: 'deadline', from: ['return_reported'], to: 'refunded' },
  /** The time for complaints is over: the buyer has the laptop. */
  complete: { by: 'deadline', from: ['delivered', 'released'], to: 'completed' },
  /** An admin gives the rest of the price back at the seller's cost. While a bank disputes the payment, only if it has taken no money. */
  refund_rest: {
    by: 'admin',
    from: [...handOverStates, ...openComplaintStates, 'released', 'completed', 'charge_disputed'],
    to: 'refunded',
  },
  /** An operator gave the rest of the price back at the card processor. */
  refund_outside: {
    by: 'shop',
    from: [...handOverStates, ...openComplaintStates, 'released', 'completed', 'charge_disputed'],
    to: 'refunded',
  },
  /** The buyer's bank disputes the payment. */
  dispute: {
    by: 'bank',
    from: [...handOverStates, ...openComplaintStates, 'released', 'completed'],
    to: 'charge_disputed',
  },
  /** The bank decides for the shop. */
  win_dispute: { by: 'bank', from: ['charge_disputed'], to: 'as_before_dispute' },
  /** The bank decides for the buyer. */
  lose_dispute: {
    by: 'bank',
    from: [...handOverStates, ...openComplaintStates, 'released', 'completed', 'charge_disputed'],
    to: 'charged_back',
  },
} as const satisfies Record<string, Move>;
export type OrderMove = keyof typeof orderMoves;

const isMove = (name: string): name is OrderMove => name in orderMoves;

/** The names of all moves. */
export const orderMoveNames: readonly OrderMove[] = Object.keys(orderMoves).filter(isMove);

/** The facts about an order that decide to which state a move leads. */
export interface OrderFacts {
  isWithBuyer: boolean;
  /** Whether the money was released before. */
  isReleased: boolean;
  /** The state in which the order was when a bank disputed its payment; null while no bank does. */
  disputedIn: OrderState | null;
  /** The state in which it waits for the hand-over or the parcel. */
  handOverState: HandOverState;
}

/** The state that a move leads to; null when it is not possible from `from`. */
export function orderStateAfter(move: OrderMove, from: OrderState, facts: OrderFacts): OrderState | null {
  const { from: sources, to }: Move = orderMoves[move];
  if (typeof to === 'object' && 'evenInDispute' in to) {
    if (!sources.includes(facts.disputedIn ?? from)) return null;
    return facts.disputedIn === null ? to.evenInDispute : from;
  }
  if (!sources.includes(from)) return null;
  if (to === 'as_before_dispute') return facts.disputedIn;
  if (typeof to === 'string') return to;
  if ('ifWithBuyer' in to) return facts.isWithBuyer ? to.ifWithBuyer : to.otherwise;
  return facts.isWithBuyer || facts.isReleased ? to.otherwise : facts.handOverState;
}

/** The moves that an actor can make from a state. */
export function orderMovesOf(actor: OrderActor, from: OrderState): OrderMove[] {
  return orderMoveNames.filter((name) => {
    const move: Move = orderMoves[name];
    return move.by === actor && move.from.includes(from);
  });
}

/**
 * How long each state waits, in days, and the move after it. States without one wait for a bank or are final. A
 * held order waits longer for a meeting on which both agreed ({@link releaseTime}). A delivered order waits since the delivery, and a
 * released one since its first release or the delivery: a complaint does not prolong the time for the next one, and another setting does
 * not shorten it.
 */
export const orderDeadlines = {
  held: { days: () => deadlines.hold, move: 'release' },
  to_ship: { days: () => deadlines.sending, move: 'not_shipped' },
  shipped: { days: () => 14, move: 'lose_parcel' },
  delivered: { days: () => deadlines.looking, move: 'complete' },
  complaint: { days: () => deadlines.answering, move: 'accept_late' },
  offered: { days: () => 7, move: 'take_offer_late' },
  contested: { days: () => 14, move: 'decide_late' },
  awaiting_return: { days: () => deadlines.returning, move: 'keep_laptop' },
  return_reported: { days: () => 5, move: 'assume_return' },
  released: { days: () => deadlines.looking, move: 'complete' },
} as const satisfies Partial<Record<OrderState, { days: () => number; move: OrderMove }>>;

/** How long a laptop that returns by parcel is under way at most, in milliseconds: the seller has so long to confirm it. */
export const RETURN_PARCEL_MS = 14 * DAY_MS;

/**
 * How many days a deadline is put off: once for a printed label that the carrier has not scanned, and again while a parcel waits at a
 * pickup point, or while no admin decides about one that the carrier reports as delivered.
 */
export const PUT_OFF_DAYS = 3;

/** How often a parcel of an order can be sent: a second time after it came back. */
export const MAXIMUM_PARCELS = 2;

/** How long the money is held after an agreed meeting, in milliseconds: time to confirm, or to say what went wrong. */
export const AFTER_MEETING_MS = 3 * DAY_MS;

/** How far ahead a meeting can be, in days. For a held order it is counted from the time since which it is held. */
export const MAXIMUM_MEETING_DAYS = 30;

/** The latest time of a meeting about an order that is held since a time. Its money is released {@link AFTER_MEETING_MS} after it. */
export const latestMeeting = (heldSince: Date): Date =>
  new Date(heldSince.getTime() + MAXIMUM_MEETING_DAYS * DAY_MS);

/**
 * When the money of a held order is released without a complaint: some days after the payment, or after the meeting.
 * @param held.since since when it is held
 * @param held.promised the end without a meeting
 * @param meetingAt the meeting on which both agreed; null without one
 */
export function releaseTime(held: { since: Date; promised: Date }, meetingAt: Date | null): Date {
  if (meetingAt === null) return held.promised;
  const meeting = Math.min(meetingAt.getTime(), latestMeeting(held.since).getTime());
  return new Date(Math.max(held.promised.getTime(), meeting + AFTER_MEETING_MS));
}

/** How long a buyer can at least complain after a bank decided for the shop, in milliseconds: the dispute may have lasted longer. */
export const AFTER_DISPUTE_MS = 3 * DAY_MS;

/** A state that ends by itself. */
export type TimedOrderState = keyof typeof orderDeadlines;

/**
 * The move after the deadline of a state. Once the seller's account has ended, silence about a laptop that the buyer does not have counts
 * for the buyer: the seller can no longer hand it over.
 */
export const deadlineMoveOf = (
  state: TimedOrderState,
  { isSellerEnded, isWithBuyer }: { isSellerEnded: boolean; isWithBuyer: boolean },
): OrderMove =>
  isSellerEnded && !isWithBuyer && orderMovesOf('deadline', state).includes('not_handed_over')
    ? 'not_handed_over'
    : orderDeadlines[state].move;

export const isTimed = (state: OrderState): state is TimedOrderState => state in orderDeadlines;

/** How many days a state waits before it ends by itself. */
export const deadlineDays = (state: TimedOrderState): number => orderDeadlines[state].days();

/** How long a state waits before it ends by itself, in milliseconds. */
export const deadlineMs = (state: TimedOrderState): number => deadlineDays(state) * DAY_MS;
