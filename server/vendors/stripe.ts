import Stripe from 'stripe';

/** A payment intent as the shop needs to know it. */
export interface CardIntent {
  /** The provider's id of the intent; what the specification calls transactionId. */
  transactionId: string;
  /** `payable`: a card may still be entered. `processing`: confirmed, not yet decided. */
  status: 'payable' | 'processing' | 'succeeded' | 'canceled';
  amountCents: number;
  /** Cents that have really been taken. */
  receivedCents: number;
  /** ISO 4217 in lower case. */
  currency: string;
  /** The booking that the intent was made for, from its metadata; null on intents that are not the shop's. */
  bookingId: string | null;
  clientSecret: string;
}

/** A proven event of the card provider. */
export interface CardEvent {
  id: string;
  type: string;
  /** The intent that it is about; null for events about something else. */
  transactionId: string | null;
}

/** The card provider does not answer, or not sensibly; the same call may be made again. */
export class CardProcessorAway extends Error {
  override readonly name = 'CardProcessorAway';
}

export interface CardProcessor {
  /** Makes an intent; the same key makes it once. @throws CardProcessorAway */
  createIntent(wanted: {
    amountCents: number;
    bookingId: string;
    description: string;
    idempotencyKey: string;
  }): Promise<CardIntent>;
  /** Null when the provider knows no such intent. @throws CardProcessorAway */
  readIntent(transactionId: string): Promise<CardIntent | null>;
  /** Answers the intent as it is afterwards: canceled, unless it had succeeded already. @throws CardProcessorAway */
  cancelIntent(transactionId: string): Promise<CardIntent | null>;
  /** Gives all of a payment back; the same key, or money already given back, changes nothing. @throws CardProcessorAway */
  refund(wanted: { transactionId: string; amountCents: number; idempotencyKey: string }): Promise<void>;
  /** Checks the signature before anything is read; null when it is not the provider's. */
  readEvent(payload: Buffer, signature: string): CardEvent | null;
}

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
    timeout: 10_000,
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
