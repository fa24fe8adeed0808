import type Stripe from 'stripe';

/** A payment as the card processor has it. */
export interface ProcessorIntent {
  id: string;
  status: Stripe.PaymentIntent.Status;
  /** Cents taken, and cents given back since, without what came back because it failed. */
  receivedCents: number;
  refundedCents: number;
  /** The dispute about it, if there is one. */
  dispute: { id: string; status: Stripe.Dispute.Status } | null;
  /** The booking it was made for; null on intents that are not the shop's. */
  bookingId: string | null;
}

/** What the card processor has in its books of one shop. */
export interface Books {
  intents: readonly ProcessorIntent[];
  /** The newest intent, from which the next reading may go on. */
  newest: string | undefined;
}

/**
 * Reads the card processor's books through its own API.
 * @param after only intents that were made after this one
 */
export async function readBooks(stripe: Stripe, after?: string): Promise<Books> {
  const refunded = new Map<string, number>();
  for await (const refund of stripe.refunds.list({ limit: 100 })) {
    if (refund.status === 'failed' || refund.status === 'canceled') continue;
    const intent = typeof refund.payment_intent === 'string' ? refund.payment_intent : '';
    refunded.set(intent, (refunded.get(intent) ?? 0) + refund.amount);
  }
  const disputes = new Map<string, ProcessorIntent['dispute']>();
  for await (const { id, status, payment_intent } of stripe.disputes.list({ limit: 100 })) {
    if (typeof payment_intent === 'string') disputes.set(payment_intent, { id, status });
  }
  const intents: ProcessorIntent[] = [];
  for await (const intent of stripe.paymentIntents.list({ limit: 100 })) {
    if (intent.id === after) break;
    intents.push({
      id: intent.id,
      status: intent.status,
      receivedCents: intent.amount_received,
      refundedCents: refunded.get(intent.id) ?? 0,
      dispute: disputes.get(intent.id) ?? null,
      bookingId: intent.metadata.bookingId ?? null,
    });
  }
  return { intents, newest: intents[0]?.id ?? after };
}
