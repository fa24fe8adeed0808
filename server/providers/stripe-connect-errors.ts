import Stripe from 'stripe';
import {
  PayoutProcessorUnavailable,
  PayoutRefusal,
  type PayoutRefusalReason,
} from '#server/money/payouts/payout-processor.ts';
import { isPermanentError, type PortErrors, type StripeError } from './stripe-client.ts';

/** Stripe's codes: https://docs.stripe.com/error-codes */
const reasonsByCode: Readonly<Record<string, PayoutRefusalReason>> = {
  insufficient_capabilities_for_transfer: 'account_cannot_receive',
  capability_not_enabled: 'account_cannot_receive',
  account_closed: 'unknown_account',
  account_invalid: 'unknown_account',
  balance_insufficient: 'insufficient_funds',
  insufficient_funds: 'insufficient_funds',
  amount_too_large: 'insufficient_funds',
};

function refusalReason(error: StripeError): PayoutRefusalReason {
  const reason = reasonsByCode[error.code ?? ''];
  if (reason !== undefined) return reason;
  // Stripe has no code for an account outside of the platform's region.
  if (/^Funds can't be sent to accounts located in/.test(error.message)) return 'other_region';
  if (error.param === 'destination' && error.statusCode !== 403) return 'unknown_account';
  // The charge was settled in another currency than that of the transfer.
  if (error.param === 'currency') return 'other_currency';
  // The amount exceeds the rest of the charge or of the transfer.
  if (error.param === 'amount') return 'insufficient_funds';
  return 'other';
}

/** An account that is closed, or not connected to the platform, is answered with 403. */
const isForeignAccount = (error: unknown) =>
  error instanceof Stripe.errors.StripeError && error.code === 'account_invalid';

/** Whether Stripe has no such object, or no longer gives access to it. */
export const isMissing = (error: unknown) =>
  isForeignAccount(error) ||
  (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404);

/** The errors of payouts. */
export const errors: PortErrors = {
  Unavailable: PayoutProcessorUnavailable,
  toRefusal: (cause) =>
    isPermanentError(cause) || isForeignAccount(cause)
      ? new PayoutRefusal(
          refusalReason(cause),
          `The card processor refused: ${cause.code ?? cause.message}`,
          {
            cause,
          },
        )
      : null,
};
