import type { Call } from '../api/endpoint.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Event } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';

/** The version of Stripe's API whose shapes these are. */
export const apiVersion = '2026-10-28.endive';

type EventType =
  | 'payment_intent.created'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'payment_intent.requires_action'
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.refund.updated'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.funds_reinstated'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed';

/**
 * Puts an event with the object as it is now, and its delivery, into the same entry as the change.
 * @param call what brought it about; null for what happens by itself
 */
export function emit(ledger: Ledger, call: Call | null, type: EventType, object: object): void {
  const id = newId('evt');
  ledger.put({
    kind: 'event',
    id,
    created: nowInSeconds(),
    type,
    object: { ...object },
    request: call?.requestId ?? null,
    idempotencyKey: call?.idempotencyKey ?? null,
  });
  ledger.put({ kind: 'delivery', id, status: 'pending', attempts: 0, lastAnswer: null, dueAt: 0 });
}

/** An event as its webhook carries it. */
export function renderEvent(event: Event, pendingWebhooks: number): Record<string, unknown> {
  return {
    id: event.id,
    object: 'event',
    api_version: apiVersion,
    created: event.created,
    data: { object: event.object },
    livemode: false,
    pending_webhooks: pendingWebhooks,
    request: { id: event.request, idempotency_key: event.idempotencyKey },
    type: event.type,
  };
}
