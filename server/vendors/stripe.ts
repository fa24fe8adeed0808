import Stripe from 'stripe';
import * as z from 'zod/mini';
import {
  type CardIntent,
  type CardProcessor,
  CardProcessorAway,
  CardProcessorRefusal,
  type CardRefund,
} from '../payments/cards.ts';
import * as shapes from './stripe-shapes.ts';

/** Reads an answer of Stripe's. @throws CardProcessorAway when it has not the shape that the shop can use */
function read<Shape extends z.ZodMiniType>(shape: Shape, answer: unknown): z.output<Shape> {
  const parsed = z.safeParse(shape, answer);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new CardProcessorAway(`The card processor answered in an unexpected shape (${where})`, {
    cause: parsed.error,
  });
}

/** The same call may succeed later: a key or an object in use elsewhere, too many calls, a failure at Stripe. */
const isTemporaryStatus = (status: number | undefined) =>
  status === undefined || status === 409 || status === 429 || status >= 500;

/**
 * What a failed call to Stripe means to the shop. Wrong keys and missing permissions count as temporary: an operator
 * can correct them, and the same call succeeds then.
 */
function failureOf(error: unknown): unknown {
  // Stripe's library stumbles over an answer such as `null`.
  if (error instanceof TypeError) {
    return new CardProcessorAway('The card processor answered in an unexpected shape', { cause: error });
  }
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const isPermanent =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  if (isPermanent && !isTemporaryStatus(error.statusCode)) {
    return new CardProcessorRefusal(`The card processor refused: ${error.code ?? error.type}`, {
      cause: error,
    });
  }
  return new CardProcessorAway(`The card processor failed: ${error.type}`, { cause: error });
}

const codeOf = (error: unknown) => (error instanceof Stripe.errors.StripeError ? error.code : undefined);

/**
 * Stripe, through its own library.
 * @param options.apiUrl where the API is when it is not Stripe's own
 */
export function createCardProcessor(options: {
  secretKey: string;
  webhookSecret: string;
  apiUrl: URL | null;
}): CardProcessor {
  const { apiUrl } = options;
  const stripe = new Stripe(options.secretKey, {
    // Three tries must end before the buyer's own patience of 30 s does, so that it is the shop that says why.
    timeout: 7_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(apiUrl && {
      protocol: apiUrl.protocol === 'http:' ? 'http' : 'https',
      host: apiUrl.hostname,
      port: apiUrl.port || (apiUrl.protocol === 'http:' ? 80 : 443),
    }),
  });

  async function readIntent(transactionId: string): Promise<CardIntent | null> {
    try {
      return read(shapes.Intent, await stripe.paymentIntents.retrieve(transactionId));
    } catch (error) {
      if (codeOf(error) === 'resource_missing') return null;
      throw failureOf(error);
    }
  }

  /** The refund that has given a payment back, made under whatever key or by hand. */
  async function findRefund(transactionId: string): Promise<CardRefund> {
    try {
      const { data } = read(
        shapes.Refunds,
        await stripe.refunds.list({ payment_intent: transactionId, limit: 100 }),
      );
      const refund = data.find(({ status }) => status !== 'failed');
      if (refund !== undefined) return refund;
    } catch (error) {
      throw failureOf(error);
    }
    throw new CardProcessorAway(`The card processor contradicts itself about the refund of ${transactionId}`);
  }

  return {
    readIntent,
    createIntent: async ({ amountCents, bookingId, description, idempotencyKey }) => {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: 'usd',
            // Cards by whatever wallet; nothing that sends the buyer away to another site.
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            metadata: { bookingId },
            description,
          },
          { idempotencyKey },
        );
        return read(shapes.Intent, intent);
      } catch (error) {
        throw failureOf(error);
      }
    },
    cancelIntent: async (transactionId) => {
      try {
        return read(shapes.Intent, await stripe.paymentIntents.cancel(transactionId));
      } catch (error) {
        // It succeeded, or was canceled, in the meantime: how it is now is the answer.
        if (codeOf(error) === 'payment_intent_unexpected_state') return readIntent(transactionId);
        if (codeOf(error) === 'resource_missing') return null;
        throw failureOf(error);
      }
    },
    refund: async ({ transactionId, amountCents, idempotencyKey }) => {
      try {
        return read(
          shapes.Refund,
          await stripe.refunds.create(
            { payment_intent: transactionId, amount: amountCents },
            { idempotencyKey },
          ),
        );
      } catch (error) {
        if (codeOf(error) === 'charge_already_refunded') return findRefund(transactionId);
        const failure = failureOf(error);
        if (failure instanceof CardProcessorRefusal) {
          // Such as a disputed payment, one that is too old, or too little money with Stripe.
          return {
            refundId: null,
            transactionId,
            status: 'failed',
            failureReason: codeOf(error) ?? 'refused',
          };
        }
        throw failure;
      }
    },
    readRefund: async (refundId) => {
      try {
        return read(shapes.Refund, await stripe.refunds.retrieve(refundId));
      } catch (error) {
        if (codeOf(error) === 'resource_missing') return null;
        throw failureOf(error);
      }
    },
    readDispute: async (disputeId) => {
      try {
        return read(shapes.Dispute, await stripe.disputes.retrieve(disputeId));
      } catch (error) {
        if (codeOf(error) === 'resource_missing') return null;
        throw failureOf(error);
      }
    },
    readEvent: (payload, signature) => {
      let signed: unknown;
      try {
        signed = stripe.webhooks.constructEvent(payload, signature, options.webhookSecret);
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return 'unsigned';
        if (error instanceof SyntaxError || error instanceof TypeError) return 'malformed';
        throw error;
      }
      const event = z.safeParse(shapes.Event, signed);
      if (!event.success) return 'malformed';
      const { id, type, data } = event.data;
      return { id, type, about: shapes.newsOf(data.object) };
    },
  };
}
