// What Stripe's objects must look like for the shop to use them. The types of Stripe's library promise more than
// anybody checks: an answer or an event of another shape must not break whatever reads it later.
import * as z from 'zod/mini';
import type { CardDispute, CardIntent, CardNews, CardRefund } from '../payments/cards.ts';

/** Names and ids that PostgreSQL can keep and index. */
const Name = z
  .string()
  .check(z.minLength(1, { abort: true }), z.maxLength(255, { abort: true }), z.regex(/^[\w.-]+$/));
const Cents = z.int().check(z.minimum(0), z.maximum(2_147_483_647));
/** An object that may be expanded: its id, or the object itself. */
const Reference = z.pipe(
  z.optional(z.nullable(z.union([Name, z.object({ id: Name })]))),
  z.transform((named) => (typeof named === 'string' ? named : (named?.id ?? null))),
);

const intentStatuses: Readonly<Record<string, CardIntent['status']>> = {
  succeeded: 'succeeded',
  canceled: 'canceled',
  processing: 'processing',
};

/** A payment intent. */
export const Intent = z.pipe(
  z.object({
    id: Name,
    status: z.string(),
    amount: Cents,
    amount_received: Cents,
    currency: z.string(),
    metadata: z.optional(z.nullable(z.object({ bookingId: z.optional(z.string()) }))),
    client_secret: z.nullable(z.string()),
  }),
  z.transform(
    (intent): CardIntent => ({
      transactionId: intent.id,
      status: intentStatuses[intent.status] ?? 'payable',
      amountCents: intent.amount,
      receivedCents: intent.amount_received,
      currency: intent.currency,
      bookingId: intent.metadata?.bookingId ?? null,
      clientSecret: intent.client_secret ?? '',
    }),
  ),
);

const refundStatuses: Readonly<Record<string, CardRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/** A refund. */
export const Refund = z.pipe(
  z.object({
    id: Name,
    status: z.nullable(z.string()),
    payment_intent: Reference,
    failure_reason: z.optional(z.nullable(Name)),
  }),
  z.transform((refund): CardRefund => {
    const status = refundStatuses[refund.status ?? ''] ?? 'pending';
    return {
      refundId: refund.id,
      transactionId: refund.payment_intent ?? '',
      status,
      failureReason: status === 'failed' ? (refund.failure_reason ?? refund.status) : null,
    };
  }),
);

/** A page of a payment's refunds. */
export const Refunds = z.object({ data: z.array(Refund) });

const disputeStatuses: Readonly<Record<string, CardDispute['state']>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'inquiry_closed',
  won: 'won',
  lost: 'lost',
};

/** Seconds since 1970, up to the year 9999; Stripe says 0 where the bank takes no answer. */
const DueBy = z.pipe(
  z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(253_402_300_799)))),
  z.transform((seconds) => (seconds ? new Date(seconds * 1000) : null)),
);

/** A dispute. */
export const Dispute = z.pipe(
  z.object({
    id: Name,
    status: z.string(),
    amount: Cents,
    reason: Name,
    payment_intent: Reference,
    evidence_details: z.object({ due_by: DueBy }),
    payment_method_details: z.optional(
      z.nullable(
        z.object({
          card: z.optional(z.nullable(z.object({ case_type: z.optional(z.nullable(z.string())) }))),
        }),
      ),
    ),
  }),
  z.transform((dispute): CardDispute => {
    // Ended before it began: either blocked, or resolved by giving the money back.
    const prevented = dispute.payment_method_details?.card?.case_type === 'resolution' ? 'lost' : 'won';
    return {
      disputeId: dispute.id,
      transactionId: dispute.payment_intent,
      amountCents: dispute.amount,
      reason: dispute.reason,
      state: dispute.status === 'prevented' ? prevented : (disputeStatuses[dispute.status] ?? 'chargeback'),
      evidenceDueAt: dispute.evidence_details.due_by,
    };
  }),
);

/** An event, whatever it is about. */
export const Event = z.object({ id: Name, type: Name, data: z.object({ object: z.optional(z.unknown()) }) });

const Subject = z.object({ object: z.string(), id: Name, payment_intent: Reference });

/**
 * What an event's object is about, whatever the event's type: new types of events about the same need no new code.
 * @returns null for what the shop does not follow, and for objects of another shape
 */
export function newsOf(object: unknown): CardNews | null {
  const subject = z.safeParse(Subject, object);
  if (!subject.success) return null;
  const { id, object: kind, payment_intent: transactionId } = subject.data;
  if (kind === 'payment_intent') return { kind: 'intent', transactionId: id };
  if (transactionId === null) return null;
  if (kind === 'refund') return { kind: 'refund', transactionId, cardRefundId: id };
  if (kind === 'dispute') return { kind: 'dispute', transactionId, cardDisputeId: id };
  return null;
}
