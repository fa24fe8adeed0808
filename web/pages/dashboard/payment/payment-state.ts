import type { Problem } from '#contract/platform/client.ts';
import type { OpenPaymentWindow } from '#contract/platform/refusals.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import type { CardOutcome } from './card-outcome.ts';

/** The exclusive payment window on the laptop. */
export interface PaymentWindow {
  /** Until then no other buyer can start to pay; null without an exclusive payment window. */
  paymentWindowEndsAt: Date | null;
  /** The number of other buyers in the queue. */
  waiting: number;
}

/** The state of one booking's payment on this page. */
export type PaymentState =
  /** The payment window and the client secret are requested. */
  | { step: 'preparing' }
  /** Another buyer is paying for the laptop. `place`: position in the queue, from 1; null without one. */
  | { step: 'waiting'; message: string; retryAt: Date | null; place: number | null }
  /** The buyer has the maximum number of payment windows. */
  | {
      step: 'too-many-payment-windows';
      message: string;
      retryAt: Date | null;
      paymentWindows: readonly OpenPaymentWindow[];
    }
  /** The preparation failed; a retry is possible. */
  | { step: 'unprepared'; message: string }
  /** The price was raised: the buyer agrees to the new one, or cancels the booking. */
  | { step: 'new-price' }
  /** It cannot be paid, at least for now. */
  | { step: 'refused'; message: string }
  /** `problem`: why the last attempt did not charge the card. `paymentWindow`: null after it until the next renewal. */
  | { step: 'payable'; clientSecret: string; problem: string | null; paymentWindow: PaymentWindow | null }
  | { step: 'confirming'; clientSecret: string }
  /** The card processor has not reported the outcome. */
  | { step: 'unsure'; clientSecret: string; message: string }
  | { step: 'checking'; clientSecret: string }
  /** The card is charged; the payment is being recorded in the shop. */
  | { step: 'recording'; transactionId: string }
  | { step: 'unrecorded'; transactionId: string }
  /** `justNow`: paid on this page, not on an earlier visit. */
  | { step: 'paid'; transactionId: string | null; justNow: boolean }
  | { step: 'refunded'; message: string };

type Refusal = Pick<Problem, 'code' | 'status' | 'message' | 'retryAt' | 'place' | 'paymentWindows'>;

export type PaymentEvent =
  | { type: 'retry-preparation' }
  | { type: 'prepared'; clientSecret: string; paymentWindow: PaymentWindow }
  | { type: 'not-prepared'; problem: Refusal }
  | { type: 'pay' }
  | { type: 'timed-out' }
  | { type: 'check' }
  | { type: 'card-outcome'; outcome: CardOutcome }
  | { type: 'recorded' }
  | { type: 'not-recorded'; problem: Refusal }
  | { type: 'retry-recording' }
  | { type: 'booking'; booking: BookingSnapshot };

type BookingSnapshot = Pick<Booking, 'state' | 'productName' | 'transactionId' | 'newPrice'>;

/** The steps without a pending charge. */
const idleSteps = ['preparing', 'waiting', 'too-many-payment-windows', 'unprepared', 'new-price', 'payable'];

/** Returns the initial state; final when the booking is settled already. */
export function toInitialState(booking: BookingSnapshot): PaymentState {
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
        message: `This booking of ${booking.productName} was cancelled. If your card was charged for it, the money is on its way back.`,
      };
    case 'Paused':
      return {
        step: 'refused',
        message: `A lock was found when ${booking.productName} was measured, so it cannot be paid now. Your booking is kept, and we write to you when it can be paid. If your card was charged for it, the money is on its way back.`,
      };
    case 'Unpaid':
      return booking.newPrice === undefined ? { step: 'preparing' } : { step: 'new-price' };
  }
}

/** Whether the card field is shown. */
export function isOpen({ step }: PaymentState): boolean {
  return idleSteps.includes(step) || step === 'confirming' || step === 'unsure' || step === 'checking';
}

/** Whether the refusal is temporary and says nothing about the booking. */
export function isTransient({ status }: Refusal): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}

function applyPreparationFailure(state: PaymentState, problem: Refusal): PaymentState {
  if (!idleSteps.includes(state.step)) return state;
  const { code, message, retryAt, place, paymentWindows } = problem;
  if (code === 'somebody_is_paying') return { step: 'waiting', message, retryAt, place };
  if (code === 'too_many_payment_windows')
    return { step: 'too-many-payment-windows', message, retryAt, paymentWindows };
  if (code === 'already_paid') return { step: 'paid', transactionId: null, justNow: false };
  if (code === 'refunded') return { step: 'refunded', message };
  // The page reads the booking again, whose price is another one now.
  if (code === 'price_not_agreed' || code === 'price_differs') return { step: 'unprepared', message };
  if (!isTransient(problem)) return { step: 'refused', message };
  // A failed renewal keeps the client secret and the place in the queue. The copy is a new state, which restarts the
  // timer of the next request.
  if (state.step === 'payable') return state;
  if (state.step === 'waiting' || state.step === 'too-many-payment-windows') return { ...state };
  return { step: 'unprepared', message };
}

function applyCardOutcome(state: PaymentState, outcome: CardOutcome): PaymentState {
  if (state.step !== 'confirming' && state.step !== 'unsure' && state.step !== 'checking') {
    // A late response: a charge counts in any step.
    return state.step === 'payable' && outcome.kind === 'charged'
      ? { step: 'recording', transactionId: outcome.transactionId }
      : state;
  }
  const { clientSecret } = state;
  switch (outcome.kind) {
    case 'charged':
      return { step: 'recording', transactionId: outcome.transactionId };
    case 'not-charged':
      return { step: 'payable', clientSecret, problem: outcome.message, paymentWindow: null };
    case 'cancelled':
      return { step: 'preparing' };
    case 'unsure':
      return { step: 'unsure', clientSecret, message: outcome.message };
  }
}

function applyRecordingFailure(state: PaymentState, { code, message }: Refusal): PaymentState {
  if (state.step !== 'recording') return state;
  if (code === 'refunded') return { step: 'refunded', message };
  // Not why: any reason would advise to try again, and nothing is to be paid again.
  return { step: 'unrecorded', transactionId: state.transactionId };
}

function applyBooking(state: PaymentState, booking: BookingSnapshot): PaymentState {
  const settled = toInitialState(booking);
  // A refusal ends when the booking can be paid again, for example after a lock was removed from the laptop.
  if (settled.step === 'preparing') {
    return state.step === 'new-price' || state.step === 'refused' ? settled : state;
  }
  if (idleSteps.includes(state.step)) return settled;
  if (state.step === 'refused') return settled.step === 'refused' ? state : settled;
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

/** Returns the next state. An event that does not apply to the state is ignored. */
export function nextState(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'retry-preparation':
      return state.step === 'payable' || !idleSteps.includes(state.step) ? state : { step: 'preparing' };
    case 'prepared': {
      if (!idleSteps.includes(state.step)) return state;
      const problem = state.step === 'payable' ? state.problem : null;
      return {
        step: 'payable',
        clientSecret: event.clientSecret,
        problem,
        paymentWindow: event.paymentWindow,
      };
    }
    case 'not-prepared':
      return applyPreparationFailure(state, event.problem);
    case 'pay':
      return state.step === 'payable' ? { step: 'confirming', clientSecret: state.clientSecret } : state;
    case 'timed-out':
      if (state.step !== 'confirming') return state;
      return {
        step: 'unsure',
        clientSecret: state.clientSecret,
        message: 'The card processor has not answered yet, so nobody knows whether your card was charged.',
      };
    case 'check':
      return state.step === 'unsure' ? { step: 'checking', clientSecret: state.clientSecret } : state;
    case 'card-outcome':
      return applyCardOutcome(state, event.outcome);
    case 'recorded':
      return state.step === 'recording'
        ? { step: 'paid', transactionId: state.transactionId, justNow: true }
        : state;
    case 'not-recorded':
      return applyRecordingFailure(state, event.problem);
    case 'retry-recording':
      return state.step === 'unrecorded' ? { step: 'recording', transactionId: state.transactionId } : state;
    case 'booking':
      return applyBooking(state, event.booking);
  }
}
