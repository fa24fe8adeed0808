import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

/** The outcome of a payment, from the card processor's response. */
export type CardOutcome =
  | { kind: 'charged'; transactionId: string }
  /** Not charged; another attempt is possible. */
  | { kind: 'not-charged'; message: string }
  /** The intent is cancelled; a new one is needed. */
  | { kind: 'cancelled' }
  | { kind: 'unsure'; message: string };

/** The result of `confirmCardPayment` and `retrievePaymentIntent`. */
export interface CardProcessorResult {
  paymentIntent?: Pick<PaymentIntent, 'id' | 'status'> | undefined;
  error?: (Pick<StripeError, 'type' | 'message'> & { payment_intent?: PaymentIntent }) | undefined;
}

const notCompleted = 'The payment was not completed. You have not been charged.';

/** The last error that the processor has of an intent can be of an earlier card, so it says nothing about this attempt. */
function toIntentOutcome(intent: NonNullable<CardProcessorResult['paymentIntent']>): CardOutcome {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'charged', transactionId: intent.id };
    case 'canceled':
      return { kind: 'cancelled' };
    case 'requires_payment_method':
    case 'requires_action':
    case 'requires_confirmation':
      return { kind: 'not-charged', message: notCompleted };
    default:
      return { kind: 'unsure', message: 'The card processor is still working on this payment.' };
  }
}

/** Interprets a response of the card processor. After a network error the outcome is unknown. */
export function toCardOutcome({ paymentIntent, error }: CardProcessorResult): CardOutcome {
  if (paymentIntent !== undefined) return toIntentOutcome(paymentIntent);
  const status = error?.payment_intent?.status;
  if (error?.payment_intent !== undefined && (status === 'succeeded' || status === 'canceled')) {
    return toIntentOutcome(error.payment_intent);
  }
  if (error === undefined || error.type === 'api_connection_error' || error.type === 'api_error') {
    return {
      kind: 'unsure',
      message: 'The card processor could not be reached, so nobody knows yet whether your card was charged.',
    };
  }
  return { kind: 'not-charged', message: error.message ?? notCompleted };
}
