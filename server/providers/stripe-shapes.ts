// Schemas of Stripe's objects, reduced to the fields that the shop uses. The types of Stripe's library are not checked at
// run time, so each response and event is parsed before it is used.
import * as z from 'zod/mini';
import type {
  CardDispute,
  CardEvent,
  CardIntent,
  CardRefund,
  FraudWarning as Warning,
} from '#server/sales/payments/card-processor.ts';

import { fromStripe } from './stripe-amounts.ts';

/** Names and ids that PostgreSQL can store and index. */
export const Name = z
  .string()
  .check(z.minLength(1, { abort: true }), z.maxLength(255, { abort: true }), z.regex(/^[\w.-]+$/));
export const Cents = z.int().check(z.minimum(0), z.maximum(2_147_483_647));
/** An expandable field: the object's id, or the object itself. */
export const Reference = z.pipe(
  z.nullish(z.union([Name, z.object({ id: Name })])),
  z.transform((reference) => (typeof reference === 'string' ? reference : (reference?.id ?? null))),
);

/** The id of any object. */
export const Id = z.pipe(
  z.object({ id: Name }),
  z.transform(({ id }) => id),
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
    metadata: z.nullish(z.object({ bookingId: z.optional(z.string()) })),
    client_secret: z.nullable(z.string()),
  }),
  z.transform(
    (intent): CardIntent => ({
      transactionId: intent.id,
      status: intentStatuses[intent.status] ?? 'payable',
      amountCents: fromStripe(intent.amount),
      receivedCents: fromStripe(intent.amount_received),
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
    amount: Cents,
    metadata: z.nullish(z.object({ reference: z.optional(z.string()) })),
    failure_reason: z.nullish(Name),
    pending_reason: z.nullish(z.string()),
  }),
  z.transform((refund): CardRefund => {
    const status = refundStatuses[refund.status ?? ''] ?? 'pending';
    return {
      refundId: refund.id,
      transactionId: refund.payment_intent ?? '',
      amountCents: fromStripe(refund.amount),
      reference: refund.metadata?.reference ?? null,
      status,
      failureReason: status === 'failed' ? (refund.failure_reason ?? refund.status) : null,
      pendingReason:
        status !== 'pending' ? null : refund.pending_reason === 'insufficient_funds' ? 'funds' : 'processing',
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

/** Seconds since 1970, up to the year 9999; 0 when the bank accepts no evidence. */
const DueBy = z.pipe(
  z.nullish(z.int().check(z.minimum(0), z.maximum(253_402_300_799))),
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
    payment_method_details: z.nullish(
      z.object({ card: z.nullish(z.object({ case_type: z.nullish(z.string()) })) }),
    ),
  }),
  z.transform((dispute): CardDispute => {
    // A prevented dispute was either blocked, or resolved by a refund.
    const prevented = dispute.payment_method_details?.card?.case_type === 'resolution' ? 'lost' : 'won';
    return {
      disputeId: dispute.id,
      transactionId: dispute.payment_intent,
      amountCents: fromStripe(dispute.amount),
      reason: dispute.reason,
      state: dispute.status === 'prevented' ? prevented : (disputeStatuses[dispute.status] ?? 'disputed'),
      evidenceDueAt: dispute.evidence_details.due_by,
    };
  }),
);

/** An early fraud warning. */
export const FraudWarning = z.pipe(
  z.object({ id: Name, fraud_type: Name, actionable: z.boolean(), payment_intent: Reference }),
  z.transform(
    (warning): Warning => ({
      warningId: warning.id,
      transactionId: warning.payment_intent,
      fraudType: warning.fraud_type,
      isActionable: warning.actionable,
    }),
  ),
);

/** The name of an event's type. Those of version 2 contain brackets, such as `v2.core.account[requirements].updated`. */
const EventType = z
  .string()
  .check(z.minLength(1, { abort: true }), z.maxLength(255, { abort: true }), z.regex(/^[\w.[\]-]+$/));

/** An event with a copy of its object. `account` is the connected account to which the object belongs. */
const SnapshotEvent = z.pipe(
  z.object({
    id: Name,
    type: EventType,
    account: z.optional(Name),
    created: z.optional(z.int().check(z.minimum(0), z.maximum(253_402_300_799))),
    data: z.object({ object: z.optional(z.unknown()) }),
  }),
  z.transform(
    ({ id, type, account, created, data }): CardEvent => ({
      id,
      type,
      about: parseObject(data.object, account, new Date((created ?? 0) * 1000).toISOString()),
    }),
  ),
);

/** An event of version 2, which only refers to its object. */
const ThinEvent = z.pipe(
  z.object({
    id: Name,
    type: EventType,
    object: z.literal('v2.core.event'),
    related_object: z.optional(z.unknown()),
  }),
  z.transform(
    ({ id, type, related_object }): CardEvent => ({ id, type, about: parseReference(related_object) }),
  ),
);

/** An event of any type. */
export const Event = z.union([ThinEvent, SnapshotEvent]);

const EventObject = z.object({ object: z.string(), id: Name, payment_intent: Reference });

/**
 * Identifies the object that an event is about. It ignores the event's type, so that new types need no code.
 * @returns null for other kinds of objects and for objects of an unexpected shape
 */
function parseObject(object: unknown, accountId: string | undefined, at: string): CardEvent['about'] {
  const parsed = z.safeParse(EventObject, object);
  if (!parsed.success) return null;
  const { id, object: kind, payment_intent: transactionId } = parsed.data;
  if (kind === 'account') return { kind: 'account', accountId: id };
  // Of the objects of connected accounts, payouts and bank accounts concern the shop; of its own objects, they do not.
  if (accountId !== undefined) {
    if (kind === 'payout') return { kind: 'payout', accountId, payoutId: id };
    // A debit card can receive payouts like a bank account.
    return ['bank_account', 'card'].includes(kind)
      ? { kind: 'bank_account', accountId, changedAt: at }
      : null;
  }
  if (kind === 'transfer') return { kind: 'transfer', transferId: id };
  if (kind === 'radar.early_fraud_warning') return { kind: 'fraud_warning', warningId: id };
  if (kind === 'payment_intent') return { kind: 'intent', transactionId: id };
  if (transactionId === null) return null;
  if (kind === 'refund') return { kind: 'refund', transactionId, cardRefundId: id };
  if (kind === 'dispute') return { kind: 'dispute', transactionId, cardDisputeId: id };
  return null;
}

const RelatedObject = z.object({ id: Name, type: z.literal('v2.core.account') });

/** Identifies the object that an event of version 2 refers to. @returns null for objects other than accounts */
function parseReference(reference: unknown): CardEvent['about'] {
  const parsed = z.safeParse(RelatedObject, reference);
  return parsed.success ? { kind: 'account', accountId: parsed.data.id } : null;
}
