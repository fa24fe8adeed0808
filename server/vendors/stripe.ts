import Stripe from 'stripe';
import { type CardIntent, type CardProcessor, CardProcessorAway } from '../payments/cards.ts';

function statusOf(status: Stripe.PaymentIntent['status']): CardIntent['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'canceled':
      return 'canceled';
    case 'processing':
      return 'processing';
    default:
      return 'payable';
  }
}

function cardIntent(intent: Stripe.PaymentIntent): CardIntent {
  return {
    transactionId: intent.id,
    status: statusOf(intent.status),
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    currency: intent.currency,
    bookingId: intent.metadata.bookingId ?? null,
    clientSecret: intent.client_secret ?? '',
  };
}

/** What a refused call to Stripe means to the shop. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return error;
  return new CardProcessorAway(`The card processor refused: ${error.type}`, { cause: error });
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
      return cardIntent(await stripe.paymentIntents.retrieve(transactionId));
    } catch (error) {
      if (codeOf(error) === 'resource_missing') return null;
      throw failureOf(error);
    }
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
        return cardIntent(intent);
      } catch (error) {
        throw failureOf(error);
      }
    },
    cancelIntent: async (transactionId) => {
      try {
        return cardIntent(await stripe.paymentIntents.cancel(transactionId));
      } catch (error) {
        // It succeeded, or was canceled, in the meantime: how it is now is the answer.
        if (codeOf(error) === 'payment_intent_unexpected_state') return readIntent(transactionId);
        if (codeOf(error) === 'resource_missing') return null;
        throw failureOf(error);
      }
    },
    refund: async ({ transactionId, amountCents, idempotencyKey }) => {
      try {
        await stripe.refunds.create(
          { payment_intent: transactionId, amount: amountCents },
          { idempotencyKey },
        );
      } catch (error) {
        if (codeOf(error) === 'charge_already_refunded') return;
        throw failureOf(error);
      }
    },
    readEvent: (payload, signature) => {
      try {
        const event = stripe.webhooks.constructEvent(payload, signature, options.webhookSecret);
        const about = event.data.object;
        return {
          id: event.id,
          type: event.type,
          transactionId: about.object === 'payment_intent' ? about.id : null,
        };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
          return null;
        throw error;
      }
    },
  };
}
