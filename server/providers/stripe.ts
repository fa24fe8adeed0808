import Stripe from 'stripe';
import * as z from 'zod/mini';
import {
  type CardIntent,
  type CardProcessor,
  CardProcessorRefusal,
  CardProcessorUnavailable,
} from '#server/sales/payments/card-processor.ts';
import { shopCurrency, toStripe } from './stripe-amounts.ts';
import { createReader, createStripeClient, isPermanentError } from './stripe-client.ts';
import * as shapes from './stripe-shapes.ts';

const read = createReader({
  Unavailable: CardProcessorUnavailable,
  toRefusal: (cause) =>
    isPermanentError(cause)
      ? new CardProcessorRefusal(`The card processor refused: ${cause.code ?? cause.type}`, { cause })
      : null,
});

const SIGNATURE_TOLERANCE_SECONDS = 300;

/** The length of a customer's `phone`, by https://github.com/stripe/openapi: a long number may lose its extension. */
const CUSTOMER_PHONE_LENGTH = 20;

/**
 * The end of the text on the buyer's bank statement, after the account's own prefix: the laptop's brand. Both together
 * have at most 22 characters, of which the prefix may take 10 and the `* ` between them 2.
 * Source: https://docs.stripe.com/get-started/account/statement-descriptors
 * @returns 1 to 10 Latin letters, digits, dots, hyphens and spaces, with at least one letter
 */
export function statementSuffix(brand: string): string {
  const allowed = brand.normalize('NFKD').replace(/[^A-Za-z0-9 .-]/g, '');
  const suffix = allowed.trim().slice(0, 10).trim().toUpperCase();
  return /[A-Z]/.test(suffix) ? suffix : 'LAPTOP';
}

const stripeCodeOf = (error: unknown) =>
  error instanceof Stripe.errors.StripeError ? error.code : undefined;

/**
 * Creates the card processor on Stripe's library.
 * @param options.webhookSecret the configured secrets that sign events, separated by commas; null without any
 * @param options.apiUrl the URL of the API; null for Stripe's own
 */
export function createCardProcessor(options: {
  secretKey: string;
  webhookSecret: string | null;
  apiUrl: URL | null;
}): CardProcessor {
  const stripe = createStripeClient(options);

  const configured = options.webhookSecret?.split(',').map((secret) => secret.trim()) ?? [];

  /** Whether one of the secrets signed the payload, at most five minutes ago. */
  const isSigned = (payload: Buffer, signature: string, secrets: readonly string[]) =>
    // Stripe's library fails on a part without a value.
    signature.split(',').every((part) => /=./.test(part)) &&
    [...configured, ...secrets].some((secret) => {
      try {
        const { signature: verifier } = stripe.webhooks;
        return verifier?.verifyHeader(payload, signature, secret, SIGNATURE_TOLERANCE_SECONDS) ?? false;
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
        throw error;
      }
    });

  const nullIfMissing = (error: unknown) => (stripeCodeOf(error) === 'resource_missing' ? null : undefined);

  const readIntent = (transactionId: string): Promise<CardIntent | null> =>
    read(shapes.Intent, stripe.paymentIntents.retrieve(transactionId), nullIfMissing);

  return {
    createCustomer: ({ buyerId, idempotencyKey }) =>
      read(shapes.Id, stripe.customers.create({ metadata: { buyerId } }, { idempotencyKey })),
    updateCustomer: async (customerId, { name, verifiedEmail, phone }) => {
      // An empty address unsets an earlier one.
      const contact = { name, email: verifiedEmail ?? '', phone: phone.slice(0, CUSTOMER_PHONE_LENGTH) };
      const updated = stripe.customers.update(customerId, contact);
      return (await read(shapes.Id, updated, nullIfMissing)) !== null;
    },
    deleteCustomer: async (customerId) => {
      await read(shapes.Id, stripe.customers.del(customerId), nullIfMissing);
    },
    readIntent,
    createIntent: ({ amountCents, bookingId, description, brand, buyer, seller, idempotencyKey }) =>
      read(
        shapes.Intent,
        stripe.paymentIntents.create(
          {
            amount: toStripe(amountCents),
            currency: shopCurrency(),
            // The page has a card field only. Whoever has the client secret could confirm with any other method.
            allowed_payment_method_types: ['card'],
            // A transfer with this charge as its source gets the same group, so that Stripe's Dashboard shows them together.
            transfer_group: bookingId,
            // Radar and the Dashboard see a buyer's payments together. The card is not saved: that needs setup_future_usage.
            customer: buyer.customerId,
            statement_descriptor_suffix: statementSuffix(brand),
            // What the browser sends as billing details can be forged; Radar also compares what the shop knows.
            ...(buyer.verifiedEmail !== null && { receipt_email: buyer.verifiedEmail }),
            shipping: { name: buyer.name, phone: buyer.phone, address: buyer.address },
            metadata: { bookingId, buyerId: buyer.id, sellerId: seller.id },
            description,
          },
          { idempotencyKey },
        ),
      ),
    cancelIntent: (transactionId) =>
      read(shapes.Intent, stripe.paymentIntents.cancel(transactionId), (error) =>
        // It has succeeded or was canceled concurrently: returns its current state.
        stripeCodeOf(error) === 'payment_intent_unexpected_state'
          ? readIntent(transactionId)
          : nullIfMissing(error),
      ),
    refund: async ({ transactionId, amountCents, reference, idempotencyKey }) => {
      const request = {
        payment_intent: transactionId,
        amount: toStripe(amountCents),
        metadata: { reference },
      };
      try {
        return await read(shapes.Refund, stripe.refunds.create(request, { idempotencyKey }));
      } catch (error) {
        if (!(error instanceof CardProcessorRefusal)) throw error;
        // For instance a disputed payment, one that is too old, or an insufficient Stripe balance.
        const failureReason = stripeCodeOf(error.cause) ?? 'refused';
        return {
          ...{ refundId: null, transactionId, amountCents, reference },
          ...{ status: 'failed', failureReason, pendingReason: null },
        };
      }
    },
    readRefund: (refundId) => read(shapes.Refund, stripe.refunds.retrieve(refundId), nullIfMissing),
    listRefunds: async (transactionId) => {
      const list = stripe.refunds.list({ payment_intent: transactionId, limit: 100 });
      return (await read(shapes.Refunds, list)).data.reverse();
    },
    readDispute: (disputeId) => read(shapes.Dispute, stripe.disputes.retrieve(disputeId), nullIfMissing),
    readFraudWarning: (warningId) =>
      read(shapes.FraudWarning, stripe.radar.earlyFraudWarnings.retrieve(warningId), nullIfMissing),
    readEvent: (payload, signature, secrets) => {
      let signed: unknown;
      try {
        if (!isSigned(payload, signature, secrets)) return 'unsigned';
        signed = JSON.parse(payload.toString('utf8'));
      } catch (error) {
        if (error instanceof SyntaxError || error instanceof TypeError) return 'malformed';
        throw error;
      }
      const event = z.safeParse(shapes.Event, signed);
      return event.success ? event.data : 'malformed';
    },
  };
}
