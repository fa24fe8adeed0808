import type { Booking } from '#contract/bookings.ts';
import type { Problem } from '#contract/client.ts';
import type { HeldLaptop } from '#contract/refusals.ts';
import type { CardOutcome } from './card-outcome.ts';

/** The turn to pay. */
export interface Turn {
  /** Until when nobody else can begin to pay; null without an exclusive hold. */
  heldUntil: Date | null;
  /** How many other buyers wait in line. */
  waiting: number;
}

/** How the payment of one booking stands, as the page knows it. */
export type PaymentState =
  /** The turn to pay and the client secret are being asked for. */
  | { step: 'preparing' }
  /** Somebody else is paying for the same laptop. `place` in line, from 1; null without one. */
  | { step: 'waiting'; message: string; retryAt: Date | null; place: number | null }
  /** The buyer holds as many other laptops as allowed. */
  | { step: 'holding-others'; message: string; retryAt: Date | null; holds: readonly HeldLaptop[] }
  /** It could not be prepared now; asking again makes sense. */
  | { step: 'unprepared'; message: string }
  /** It can no longer be paid. */
  | { step: 'refused'; message: string }
  /** `problem`: why the last try did not take any money. `turn`: null until it is known again after such a try. */
  | { step: 'payable'; clientSecret: string; problem: string | null; turn: Turn | null }
  | { step: 'confirming'; clientSecret: string }
  /** The card processor has not said whether it took the money. */
  | { step: 'unsure'; clientSecret: string; message: string }
  | { step: 'checking'; clientSecret: string }
  /** The money is taken; the shop is being told. */
  | { step: 'recording'; transactionId: string }
  | { step: 'unrecorded'; transactionId: string; message: string }
  /** `justNow`: on this page, not on an earlier visit. */
  | { step: 'paid'; transactionId: string | null; justNow: boolean }
  | { step: 'refunded'; message: string };

type Refused = Pick<Problem, 'code' | 'status' | 'message' | 'retryAt' | 'place' | 'holds'>;

export type PaymentEvent =
  | { type: 'ask-again' }
  | { type: 'prepared'; clientSecret: string; turn: Turn }
  | { type: 'not-prepared'; problem: Refused }
  | { type: 'pay' }
  | { type: 'no-answer-yet' }
  | { type: 'check' }
  | { type: 'card-answered'; outcome: CardOutcome }
  | { type: 'recorded' }
  | { type: 'not-recorded'; problem: Refused }
  | { type: 'record-again' }
  | { type: 'booking'; booking: Settled };

type Settled = Pick<Booking, 'state' | 'productName' | 'transactionId'>;

/** Before or between tries: no money can be on its way. */
const atRest = ['preparing', 'waiting', 'holding-others', 'unprepared', 'payable'];

function ofBooking(booking: Settled): PaymentState {
  switch (booking.state) {
    case 'Paid':
      return { step: 'paid', transactionId: booking.transactionId ?? null, justNow: false };
    case 'Sold':
      return {
        step: 'refused',
        message: `${booking.productName} was sold to another buyer. If your card was charged for it, the money is on its way back.`,
      };
    case 'Cancelled':
      return {
        step: 'refused',
        message: `This booking was cancelled because ${booking.productName} left the shop. If your card was charged for it, the money is on its way back.`,
      };
    case 'Unpaid':
      return { step: 'preparing' };
  }
}

/** Whether something is still to be paid here; if not, the card field has no business on the page. */
export function isOpen({ step }: PaymentState): boolean {
  return atRest.includes(step) || step === 'confirming' || step === 'unsure' || step === 'checking';
}

/** How paying begins: at its end, when the booking is settled already. */
export function begin(booking: Settled): PaymentState {
  return ofBooking(booking);
}

/** A call that got no answer, or one that says nothing about the booking. */
function isPassing({ status }: Refused): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}

function notPrepared(state: PaymentState, problem: Refused): PaymentState {
  if (!atRest.includes(state.step)) return state;
  const { code, message, retryAt, place, holds } = problem;
  if (code === 'somebody_is_paying') return { step: 'waiting', message, retryAt, place };
  if (code === 'too_many_holds') return { step: 'holding-others', message, retryAt, holds };
  if (code === 'already_paid') return { step: 'paid', transactionId: null, justNow: false };
  if (code === 'refunded') return { step: 'refunded', message };
  if (!isPassing(problem)) return { step: 'refused', message };
  // A renewal that failed on the way takes nothing from a secret that is still good, nor from a place in line; a copy,
  // because it is a change of state after which the page asks again.
  if (state.step === 'payable') return state;
  if (state.step === 'waiting' || state.step === 'holding-others') return { ...state };
  return { step: 'unprepared', message };
}

function cardAnswered(state: PaymentState, outcome: CardOutcome): PaymentState {
  if (state.step !== 'confirming' && state.step !== 'unsure' && state.step !== 'checking') {
    // An answer so late that the page had gone on; that money was taken counts all the same.
    return state.step === 'payable' && outcome.kind === 'taken'
      ? { step: 'recording', transactionId: outcome.transactionId }
      : state;
  }
  const { clientSecret } = state;
  switch (outcome.kind) {
    case 'taken':
      return { step: 'recording', transactionId: outcome.transactionId };
    case 'not-taken':
      return { step: 'payable', clientSecret, problem: outcome.message, turn: null };
    case 'ended':
      return { step: 'preparing' };
    case 'unsure':
      return { step: 'unsure', clientSecret, message: outcome.message };
  }
}

function notRecorded(state: PaymentState, { code, message }: Refused): PaymentState {
  if (state.step !== 'recording') return state;
  if (code === 'refunded') return { step: 'refunded', message };
  return { step: 'unrecorded', transactionId: state.transactionId, message };
}

function bookingCame(state: PaymentState, booking: Settled): PaymentState {
  const settled = ofBooking(booking);
  if (settled.step === 'preparing') return state;
  if (atRest.includes(state.step)) return settled;
  if (settled.step !== 'paid') return state;
  switch (state.step) {
    case 'paid':
      return { ...state, transactionId: state.transactionId ?? settled.transactionId };
    case 'confirming':
    case 'unsure':
    case 'checking':
      return { ...settled, justNow: true };
    case 'recording':
    case 'unrecorded':
      return { step: 'paid', transactionId: state.transactionId, justNow: true };
    default:
      return state;
  }
}

/** The next state; an event that has no meaning in a state changes nothing. */
export function next(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'ask-again':
      return state.step === 'payable' || !atRest.includes(state.step) ? state : { step: 'preparing' };
    case 'prepared': {
      if (!atRest.includes(state.step)) return state;
      const problem = state.step === 'payable' ? state.problem : null;
      return { step: 'payable', clientSecret: event.clientSecret, problem, turn: event.turn };
    }
    case 'not-prepared':
      return notPrepared(state, event.problem);
    case 'pay':
      return state.step === 'payable' ? { step: 'confirming', clientSecret: state.clientSecret } : state;
    case 'no-answer-yet':
      if (state.step !== 'confirming') return state;
      return {
        step: 'unsure',
        clientSecret: state.clientSecret,
        message: 'The card processor has not answered yet, so nobody knows whether your card was charged.',
      };
    case 'check':
      return state.step === 'unsure' ? { step: 'checking', clientSecret: state.clientSecret } : state;
    case 'card-answered':
      return cardAnswered(state, event.outcome);
    case 'recorded':
      return state.step === 'recording'
        ? { step: 'paid', transactionId: state.transactionId, justNow: true }
        : state;
    case 'not-recorded':
      return notRecorded(state, event.problem);
    case 'record-again':
      return state.step === 'unrecorded' ? { step: 'recording', transactionId: state.transactionId } : state;
    case 'booking':
      return bookingCame(state, event.booking);
  }
}
