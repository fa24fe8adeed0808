import type Stripe from 'stripe';
import type { Call } from '../api/endpoint.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import { render } from '../resources/render.ts';
import type { ApiRecord, Event } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

/** The version of Stripe's API whose formats are rendered. */
export const apiVersion = '2026-10-28.endive';

/**
 * Stores an event with the record's current state, and its delivery, in the journal entry of the change.
 * @param call the request that caused it; null for a scheduled change
 */
export function emit(store: Store, call: Call | null, type: Stripe.Event['type'], record: ApiRecord): void {
  const id = newId('evt');
  store.put({
    kind: 'event',
    id,
    created: nowInSeconds(),
    type,
    object: render(store, record),
    request: call?.requestId ?? null,
    idempotencyKey: call?.idempotencyKey ?? null,
  });
  store.put({ kind: 'delivery', id, status: 'pending', attempts: 0, lastAnswer: null, dueAt: 0 });
}

/** Stores a record with events of these types, in this order. @returns the record */
export function putAndEmit<R extends ApiRecord>(
  store: Store,
  call: Call | null,
  record: R,
  ...types: Stripe.Event['type'][]
): R {
  store.put(record);
  for (const type of types) emit(store, call, type, record);
  return record;
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
