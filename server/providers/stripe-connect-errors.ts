import Stripe from 'stripe';
import * as z from 'zod/mini';
import {
  PayoutProcessorUnavailable,
  PayoutRefusal,
  type PayoutRefusalReason,
} from '#server/money/payouts/processor.ts';
import { isPermanentError } from './stripe-client.ts';

/** Parses a response of Stripe. @throws PayoutProcessorUnavailable when it has an unexpected shape */
export function parseResponse<Shape extends z.ZodMiniType>(shape: Shape, response: unknown): z.output<Shape> {
  const parsed = z.safeParse(shape, response);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new PayoutProcessorUnavailable(`The card processor answered in an unexpected shape (${fields})`, {
    cause: parsed.error,
  });
}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

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

/** Converts an error of a call to Stripe. */
export function toProcessorError(error: unknown): unknown {
  // Stripe's library throws a TypeError for a response such as `null`.
  if (error instanceof TypeError) {
    return new PayoutProcessorUnavailable('The card processor answered in an unexpected shape', {
      cause: error,
    });
  }
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  if (isPermanentError(error) || isForeignAccount(error)) {
    const reason = refusalReason(error);
    return new PayoutRefusal(reason, `The card processor refused: ${error.code ?? error.message}`, {
      cause: error,
    });
  }
  return new PayoutProcessorUnavailable(`The card processor failed: ${error.type}`, { cause: error });
}
