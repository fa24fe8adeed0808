import type { Call } from '../api/endpoint.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Event } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

/** The version of Stripe's API whose formats are rendered. */
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
 * Stores an event with the object's current state, and its delivery, in the journal entry of the change.
 * @param call the request that caused it; null for a scheduled change
 */
export function emit(store: Store, call: Call | null, type: EventType, object: object): void {
  const id = newId('evt');
  store.put({
    kind: 'event',
    id,
    created: nowInSeconds(),
    type,
    object: { ...object },
    request: call?.requestId ?? null,
    idempotencyKey: call?.idempotencyKey ?? null,
  });
  store.put({ kind: 'delivery', id, status: 'pending', attempts: 0, lastAnswer: null, dueAt: 0 });
}

/** Renders an event as the body of its webhook. */
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
