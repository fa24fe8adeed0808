import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer } from 'react';
import { Problem } from '#contract/platform/client.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { refetchChanged, refetchResources } from '../../../requests/reads.ts';
import { withTimeout } from '../../../requests/with-timeout.ts';
import { useApi } from '../../../session/session.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type CardOutcome, type CardProcessorResult, toCardOutcome } from './card-outcome.ts';
import { isTransient, nextState, toInitialState } from './payment-state.ts';

/** Milliseconds between renewals of the payment window, which lasts three times as long. */
const RENEWAL_INTERVAL = 60_000;
/** Milliseconds; includes 3-D Secure. */
const CONFIRMATION_TIMEOUT = 5 * 60_000;
const CHECK_TIMEOUT = 20_000;
const RECORDING_RETRY_DELAY = 30_000;
const MINIMUM_DELAY = 5_000;
/** Milliseconds; a place in the queue lasts three times as long. */
const MAXIMUM_DELAY = 30_000;

/** The two requests to the card processor, by client secret. */
export interface CardCalls {
  confirm: (clientSecret: string) => Promise<CardProcessorResult>;
  retrieve: (clientSecret: string) => Promise<CardProcessorResult>;
}

export type Payment = ReturnType<typeof usePayment>;

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({ status: 0, code: 'internal', detail: 'Something went wrong. Please try again.' });
}

/** Requests the payment's outcome from the card processor; `unsure` when that fails. */
async function retrieveOutcome(calls: CardCalls, clientSecret: string): Promise<CardOutcome> {
  try {
    return toCardOutcome(await withTimeout(CHECK_TIMEOUT, calls.retrieve(clientSecret)));
  } catch {
    return toCardOutcome({});
  }
}

async function confirmCard(calls: CardCalls, clientSecret: string): Promise<CardOutcome> {
  try {
    const outcome = toCardOutcome(await calls.confirm(clientSecret));
    if (outcome.kind !== 'unsure') return outcome;
  } catch {
    // The card may have been charged before the error, so the outcome is requested.
  }
  return retrieveOutcome(calls, clientSecret);
}

/** Milliseconds until the next request; bounded, because server and browser clocks may differ. */
function delayUntil(retryAt: Date | null): number {
  const wanted = retryAt === null ? RENEWAL_INTERVAL : retryAt.getTime() - Date.now();
  return Math.min(MAXIMUM_DELAY, Math.max(MINIMUM_DELAY, wanted));
}

/** Whether a refusal means that the booking has changed. The other two are about other buyers and bookings. */
const hasBookingChanged = (problem: Problem) =>
  !isTransient(problem) &&
  problem.code !== 'somebody_is_paying' &&
  problem.code !== 'too_many_payment_windows';

/** Pays for a booking: renews the payment window while the page is visible, and records the payment in the shop. */
export function usePayment(booking: Booking) {
  const api = useApi();
  const cache = useQueryClient();
  const [state, dispatch] = useReducer(nextState, booking, toInitialState);
  const { _id: bookingId, price, email, productName, productCode } = booking;
  const { step } = state;

  useEffect(() => dispatch({ type: 'booking', booking }), [booking]);

  const prepare = useCallback(
    async (signal: AbortSignal) => {
      try {
        const { clientSecret, paymentWindowEndsAt, waiting } = await api.call(createPaymentIntent, {
          body: { price, bookingId },
          signal,
        });
        const paymentWindow = {
          paymentWindowEndsAt: paymentWindowEndsAt === null ? null : new Date(paymentWindowEndsAt),
          waiting,
        };
        dispatch({ type: 'prepared', clientSecret, paymentWindow });
      } catch (error) {
        if (signal.aborted) return;
        const problem = toProblem(error);
        dispatch({ type: 'not-prepared', problem });
        if (hasBookingChanged(problem)) void refetchResources(cache, ['bookings']);
      }
    },
    [api, cache, price, bookingId],
  );

  useEffect(() => {
    if (step !== 'preparing') return;
    const controller = new AbortController();
    void prepare(controller.signal);
    return () => controller.abort();
  }, [step, prepare]);

  const keepsPaymentWindow =
    step === 'payable' || step === 'confirming' || step === 'checking' || step === 'unsure';
  useEffect(() => {
    if (!keepsPaymentWindow) return;
    const controller = new AbortController();
    const renew = () => {
      if (document.visibilityState === 'visible') void prepare(controller.signal);
    };
    const timer = setInterval(renew, RENEWAL_INTERVAL);
    document.addEventListener('visibilitychange', renew);
    return () => {
      controller.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [keepsPaymentWindow, prepare]);

  useEffect(() => {
    if (state.step !== 'waiting' && state.step !== 'too-many-payment-windows') return;
    const controller = new AbortController();
    const timer = setTimeout(() => void prepare(controller.signal), delayUntil(state.retryAt));
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [state, prepare]);

  const transactionId = state.step === 'recording' ? state.transactionId : null;
  useEffect(() => {
    if (transactionId === null) return;
    let isStale = false;
    const body = { price, transactionId, email, bookingId, productName, productCode };
    api.call(recordPayment, { body }).then(
      ({ insertedId }) => {
        if (isStale) return;
        if (insertedId !== '') toast.success('Payment successful');
        dispatch({ type: 'recorded' });
        void refetchChanged(cache, recordPayment);
      },
      (error: unknown) => {
        if (!isStale) dispatch({ type: 'not-recorded', problem: toProblem(error) });
      },
    );
    return () => {
      isStale = true;
    };
  }, [transactionId, api, cache, price, email, bookingId, productName, productCode]);

  useEffect(() => {
    if (step !== 'unrecorded') return;
    const timer = setTimeout(() => dispatch({ type: 'retry-recording' }), RECORDING_RETRY_DELAY);
    return () => clearTimeout(timer);
  }, [step]);

  return {
    state,
    retryPreparation: () => dispatch({ type: 'retry-preparation' }),
    retryRecording: () => dispatch({ type: 'retry-recording' }),
    pay: (calls: CardCalls) => {
      if (state.step !== 'payable') return;
      dispatch({ type: 'pay' });
      const limit = setTimeout(() => dispatch({ type: 'timed-out' }), CONFIRMATION_TIMEOUT);
      void confirmCard(calls, state.clientSecret).then((outcome) => {
        clearTimeout(limit);
        dispatch({ type: 'card-outcome', outcome });
      });
    },
    check: (calls: CardCalls) => {
      if (state.step !== 'unsure') return;
      dispatch({ type: 'check' });
      void retrieveOutcome(calls, state.clientSecret).then((outcome) =>
        dispatch({ type: 'card-outcome', outcome }),
      );
    },
  };
}
