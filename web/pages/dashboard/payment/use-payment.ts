import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer } from 'react';
import type { Booking } from '#contract/bookings.ts';
import { Problem } from '#contract/client.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { useApi } from '../../../session/session.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type CardAnswer, type CardOutcome, outcomeOf } from './card-outcome.ts';
import { begin, next, type PaymentState } from './payment-state.ts';
import { within } from './with-timeout.ts';

/** Milliseconds between renewals of the turn to pay; the shop keeps it three times as long. */
const RENEWAL = 60_000;
/** Milliseconds for the card and, perhaps, its owner's proof to the bank. */
const CONFIRMING_LIMIT = 5 * 60_000;
const CHECKING_LIMIT = 20_000;
const RECORDING_PAUSE = 30_000;
const SHORTEST_PAUSE = 5_000;
/** Milliseconds; the shop keeps a place in line three times as long. */
const LONGEST_PAUSE = 30_000;

/** The two calls to the card processor, each with the client secret. */
export interface CardCalls {
  confirm: (clientSecret: string) => Promise<CardAnswer>;
  look: (clientSecret: string) => Promise<CardAnswer>;
}

export interface Payment {
  state: PaymentState;
  askAgain: () => void;
  pay: (calls: CardCalls) => void;
  check: (calls: CardCalls) => void;
  recordAgain: () => void;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({ status: 0, code: 'internal', detail: 'Something went wrong. Please try again.' });
}

/** Asks the card processor how the payment stands; when it cannot be asked, that is the answer. */
async function lookAt(calls: CardCalls, clientSecret: string): Promise<CardOutcome> {
  try {
    return outcomeOf(await within(CHECKING_LIMIT, calls.look(clientSecret)));
  } catch {
    return outcomeOf({});
  }
}

async function confirmed(calls: CardCalls, clientSecret: string): Promise<CardOutcome> {
  try {
    const outcome = outcomeOf(await calls.confirm(clientSecret));
    if (outcome.kind !== 'unsure') return outcome;
  } catch {
    // Whatever broke, it may have broken after the money was taken: only the card processor knows.
  }
  return lookAt(calls, clientSecret);
}

/** Milliseconds until trying again; bounded, because the clocks of the shop and the browser may differ. */
function pauseUntil(retryAt: Date | null): number {
  const wanted = retryAt === null ? RENEWAL : retryAt.getTime() - Date.now();
  return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, wanted));
}

/** Pays for a booking: keeps the turn to pay while the page is seen, and tells the shop of the payment. */
export function usePayment(booking: Booking): Payment {
  const api = useApi();
  const cache = useQueryClient();
  const [state, dispatch] = useReducer(next, booking, begin);
  const { _id: bookingId, price, email, productName, productCode } = booking;
  const { step } = state;

  useEffect(() => dispatch({ type: 'booking', booking }), [booking]);

  const prepare = useCallback(
    async (signal: AbortSignal) => {
      try {
        const { clientSecret, heldUntil, waiting } = await api.call(createPaymentIntent, {
          body: { price, bookingId },
          signal,
        });
        const turn = { heldUntil: heldUntil === null ? null : new Date(heldUntil), waiting };
        dispatch({ type: 'prepared', clientSecret, turn });
      } catch (error) {
        if (signal.aborted) return;
        const problem = problemOf(error);
        dispatch({ type: 'not-prepared', problem });
        if (problem.code === 'already_paid') void cache.invalidateQueries({ queryKey: ['bookings'] });
      }
    },
    [api, cache, price, bookingId],
  );

  useEffect(() => {
    if (step !== 'preparing') return;
    const leaving = new AbortController();
    void prepare(leaving.signal);
    return () => leaving.abort();
  }, [step, prepare]);

  const keepsTurn = step === 'payable' || step === 'confirming' || step === 'checking' || step === 'unsure';
  useEffect(() => {
    if (!keepsTurn) return;
    const leaving = new AbortController();
    const renew = () => {
      if (document.visibilityState === 'visible') void prepare(leaving.signal);
    };
    const timer = setInterval(renew, RENEWAL);
    document.addEventListener('visibilitychange', renew);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [keepsTurn, prepare]);

  useEffect(() => {
    if (state.step !== 'waiting' && state.step !== 'holding-others') return;
    const leaving = new AbortController();
    // What is shown stays while it is asked about.
    const timer = setTimeout(() => void prepare(leaving.signal), pauseUntil(state.retryAt));
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [state, prepare]);

  const transactionId = state.step === 'recording' ? state.transactionId : null;
  useEffect(() => {
    if (transactionId === null) return;
    let left = false;
    const body = { price, transactionId, email, bookingId, productName, productCode };
    api.call(recordPayment, { body }).then(
      ({ insertedId }) => {
        if (left) return;
        if (insertedId !== '') toast.success('Payment successful');
        dispatch({ type: 'recorded' });
        void cache.invalidateQueries();
      },
      (error: unknown) => {
        if (!left) dispatch({ type: 'not-recorded', problem: problemOf(error) });
      },
    );
    return () => {
      left = true;
    };
  }, [transactionId, api, cache, price, email, bookingId, productName, productCode]);

  useEffect(() => {
    if (step !== 'unrecorded') return;
    const timer = setTimeout(() => dispatch({ type: 'record-again' }), RECORDING_PAUSE);
    return () => clearTimeout(timer);
  }, [step]);

  return {
    state,
    askAgain: () => dispatch({ type: 'ask-again' }),
    recordAgain: () => dispatch({ type: 'record-again' }),
    pay: (calls) => {
      if (state.step !== 'payable') return;
      dispatch({ type: 'pay' });
      const limit = setTimeout(() => dispatch({ type: 'no-answer-yet' }), CONFIRMING_LIMIT);
      void confirmed(calls, state.clientSecret).then((outcome) => {
        clearTimeout(limit);
        dispatch({ type: 'card-answered', outcome });
      });
    },
    check: (calls) => {
      if (state.step !== 'unsure') return;
      dispatch({ type: 'check' });
      void lookAt(calls, state.clientSecret).then((outcome) => dispatch({ type: 'card-answered', outcome }));
    },
  };
}
