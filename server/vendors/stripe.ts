import Stripe from 'stripe';
import {
  type CardDispute,
  type CardIntent,
  type CardNews,
  type CardProcessor,
  CardProcessorAway,
  type CardRefund,
} from '../payments/cards.ts';

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

const idOf = (named: string | { id: string } | null) =>
  typeof named === 'string' ? named : (named?.id ?? null);

function refundStatusOf(status: Stripe.Refund['status']): CardRefund['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'failed':
    case 'canceled':
      return 'failed';
    default:
      return 'pending';
  }
}

function cardRefund(refund: Stripe.Refund): CardRefund {
  const status = refundStatusOf(refund.status);
  return {
    refundId: refund.id,
    transactionId: idOf(refund.payment_intent) ?? '',
    status,
    failureReason: status === 'failed' ? (refund.failure_reason ?? refund.status) : null,
  };
}

function disputeStateOf(dispute: Stripe.Dispute): CardDispute['state'] {
  switch (dispute.status) {
    case 'won':
    // An inquiry that ended without becoming a dispute.
    case 'warning_closed':
      return 'won';
    case 'lost':
      return 'lost';
    case 'prevented':
      // Ended before it began: either blocked, or resolved by giving the money back.
      return dispute.payment_method_details?.card?.case_type === 'resolution' ? 'lost' : 'won';
    default:
      return 'open';
  }
}

function cardDispute(dispute: Stripe.Dispute): CardDispute {
  const dueBy = dispute.evidence_details.due_by;
  return {
    disputeId: dispute.id,
    transactionId: idOf(dispute.payment_intent),
    amountCents: dispute.amount,
    reason: dispute.reason,
    state: disputeStateOf(dispute),
    // Stripe says 0 where the bank takes no answer.
    evidenceDueAt: dueBy === null || dueBy === 0 ? null : new Date(dueBy * 1000),
  };
}

/** What an event's object is about, whatever the event's type: new types of events about the same need no new code. */
function newsOf(about: Stripe.Event['data']['object']): CardNews | null {
  if (!('object' in about)) return null;
  switch (about.object) {
    case 'payment_intent':
      return { kind: 'intent', transactionId: about.id };
    case 'refund': {
      const transactionId = idOf(about.payment_intent);
      return transactionId === null ? null : { kind: 'refund', transactionId, cardRefundId: about.id };
    }
    case 'dispute': {
      const transactionId = idOf(about.payment_intent);
      return transactionId === null ? null : { kind: 'dispute', transactionId, cardDisputeId: about.id };
    }
    default:
      return null;
  }
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

  /** The refund that has given a payment back, made under whatever key or by hand. */
  async function findRefund(transactionId: string): Promise<CardRefund> {
    try {
      const { data } = await stripe.refunds.list({ payment_intent: transactionId, limit: 100 });
      const refund = data.map(cardRefund).find(({ status }) => status !== 'failed');
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
        return cardRefund(
          await stripe.refunds.create(
            { payment_intent: transactionId, amount: amountCents },
            { idempotencyKey },
          ),
        );
      } catch (error) {
        if (codeOf(error) === 'charge_already_refunded') return findRefund(transactionId);
        if (error instanceof Stripe.errors.StripeInvalidRequestError) {
          // It will not be made, however often it is asked for: disputed, too old, not enough money with Stripe.
          return { refundId: null, transactionId, status: 'failed', failureReason: error.code ?? 'refused' };
        }
        throw failureOf(error);
      }
    },
    readRefund: async (refundId) => {
      try {
        return cardRefund(await stripe.refunds.retrieve(refundId));
      } catch (error) {
        if (codeOf(error) === 'resource_missing') return null;
        throw failureOf(error);
      }
    },
    readDispute: async (disputeId) => {
      try {
        return cardDispute(await stripe.disputes.retrieve(disputeId));
      } catch (error) {
        if (codeOf(error) === 'resource_missing') return null;
        throw failureOf(error);
      }
    },
    readEvent: (payload, signature) => {
      try {
        const event = stripe.webhooks.constructEvent(payload, signature, options.webhookSecret);
        return { id: event.id, type: event.type, about: newsOf(event.data.object) };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
          return null;
        throw error;
      }
    },
  };
}
