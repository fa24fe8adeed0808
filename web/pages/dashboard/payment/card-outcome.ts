import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

/** The outcome of a payment, from the card processor's response. */
export type CardOutcome =
  | { kind: 'taken'; transactionId: string }
  /** Not charged; another attempt is possible. */
  | { kind: 'not-taken'; message: string }
  /** The intent is cancelled; a new one is needed. */
  | { kind: 'ended' }
  | { kind: 'unsure'; message: string };

/** The result of `confirmCardPayment` and `retrievePaymentIntent`. */
export interface CardAnswer {
  paymentIntent?: Pick<PaymentIntent, 'id' | 'status' | 'last_payment_error'> | undefined;
  error?: (Pick<StripeError, 'type' | 'message'> & { payment_intent?: PaymentIntent }) | undefined;
}

const notCompleted = 'The payment was not completed. You have not been charged.';

function outcomeOfIntent(intent: NonNullable<CardAnswer['paymentIntent']>): CardOutcome {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'taken', transactionId: intent.id };
    case 'canceled':
      return { kind: 'ended' };
    case 'requires_payment_method':
      return { kind: 'not-taken', message: intent.last_payment_error?.message ?? notCompleted };
    case 'requires_action':
    case 'requires_confirmation':
      return { kind: 'not-taken', message: notCompleted };
    default:
      return { kind: 'unsure', message: 'The card processor is still working on this payment.' };
  }
}

/** Interprets a response of the card processor. After a network error the outcome is unknown. */
export function outcomeOf({ paymentIntent, error }: CardAnswer): CardOutcome {
  if (paymentIntent !== undefined) return outcomeOfIntent(paymentIntent);
  const status = error?.payment_intent?.status;
  if (error?.payment_intent !== undefined && (status === 'succeeded' || status === 'canceled')) {
    return outcomeOfIntent(error.payment_intent);
  }
  if (error === undefined || error.type === 'api_connection_error' || error.type === 'api_error') {
    return {
      kind: 'unsure',
      message: 'The card processor could not be reached, so nobody knows yet whether your card was charged.',
    };
  }
  return { kind: 'not-taken', message: error.message ?? notCompleted };
}
