import type Stripe from 'stripe';
import { fromStripe } from '#server/providers/stripe-amounts.ts';

/** A payment intent at the card processor. */
export interface ProcessorIntent {
  id: string;
  status: Stripe.PaymentIntent.Status;
  receivedCents: number;
  /** Without failed and cancelled refunds. */
  refundedCents: number;
  dispute: { id: string; status: Stripe.Dispute.Status; amountCents: number } | null;
  /** Null for intents that the shop did not create. */
  bookingId: string | null;
}

/** A transfer to a seller's account. */
export interface ProcessorTransfer {
  id: string;
  amountCents: number;
  /** The sum of its reversals. */
  reversedCents: number;
  /** Null for transfers that the shop did not make. */
  orderId: string | null;
}

/** The card processor's records of one shop. */
export interface ProcessorLedger {
  intents: readonly ProcessorIntent[];
  /** All transfers, also those of earlier intents: they change later. */
  transfers: readonly ProcessorTransfer[];
  /** The newest intent's id, after which the next reading can start. */
  newest: string | undefined;
}

async function readTransfers(stripe: Stripe): Promise<ProcessorTransfer[]> {
  const transfers: ProcessorTransfer[] = [];
  for await (const { id, amount, amount_reversed, metadata } of stripe.transfers.list({ limit: 100 })) {
    transfers.push({
      id,
      amountCents: fromStripe(amount),
      reversedCents: fromStripe(amount_reversed),
      orderId: metadata.orderId ?? null,
    });
  }
  return transfers;
}

/**
 * Reads payment intents, refunds, disputes and transfers through the card processor's API.
 * @param after reads only intents created after this one
 */
export async function readProcessorLedger(stripe: Stripe, after?: string): Promise<ProcessorLedger> {
  const refunded = new Map<string, number>();
  for await (const refund of stripe.refunds.list({ limit: 100 })) {
    if (refund.status === 'failed' || refund.status === 'canceled') continue;
    const intent = typeof refund.payment_intent === 'string' ? refund.payment_intent : '';
    refunded.set(intent, (refunded.get(intent) ?? 0) + fromStripe(refund.amount));
  }
  const disputes = new Map<string, ProcessorIntent['dispute']>();
  for await (const { id, status, amount, payment_intent } of stripe.disputes.list({ limit: 100 })) {
    if (typeof payment_intent === 'string') {
      disputes.set(payment_intent, { id, status, amountCents: fromStripe(amount) });
    }
  }
  const intents: ProcessorIntent[] = [];
  for await (const intent of stripe.paymentIntents.list({ limit: 100 })) {
    if (intent.id === after) break;
    intents.push({
      id: intent.id,
      status: intent.status,
      receivedCents: fromStripe(intent.amount_received),
      refundedCents: refunded.get(intent.id) ?? 0,
      dispute: disputes.get(intent.id) ?? null,
      bookingId: intent.metadata.bookingId ?? null,
    });
  }
  return { intents, transfers: await readTransfers(stripe), newest: intents[0]?.id ?? after };
}
