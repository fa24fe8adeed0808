import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

/** What the card processor's answer means for the money. */
export type CardOutcome =
  | { kind: 'taken'; transactionId: string }
  /** Nothing was taken, and another try is possible. */
  | { kind: 'not-taken'; message: string }
  /** This intent can no longer take anything; a new one must be asked for. */
  | { kind: 'ended' }
  | { kind: 'unsure'; message: string };

/** As `confirmCardPayment` and `retrievePaymentIntent` answer. */
export interface CardAnswer {
  paymentIntent?: Pick<PaymentIntent, 'id' | 'status' | 'last_payment_error'> | undefined;
  error?: (Pick<StripeError, 'type' | 'message'> & { payment_intent?: PaymentIntent }) | undefined;
}

const notCompleted = 'The payment was not completed. You have not been charged.';

function ofIntent(intent: NonNullable<CardAnswer['paymentIntent']>): CardOutcome {
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

/** Reads an answer of the card processor. An error on the way there says nothing about the money. */
export function outcomeOf({ paymentIntent, error }: CardAnswer): CardOutcome {
  if (paymentIntent !== undefined) return ofIntent(paymentIntent);
  const status = error?.payment_intent?.status;
  if (error?.payment_intent !== undefined && (status === 'succeeded' || status === 'canceled')) {
    return ofIntent(error.payment_intent);
  }
  if (error === undefined || error.type === 'api_connection_error' || error.type === 'api_error') {
    return {
      kind: 'unsure',
      message: 'The card processor could not be reached, so nobody knows yet whether your card was charged.',
    };
  }
  return { kind: 'not-taken', message: error.message ?? notCompleted };
}
