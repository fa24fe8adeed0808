import Stripe from 'stripe';
import type { Call } from '../api/endpoint.ts';
import { newRecord } from '../identifiers.ts';
import { render } from '../resources/render.ts';
import type { Account, ApiRecord, Event, EventDestination } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

/** The version of Stripe's API whose formats are rendered: the one of the installed library, whose types they have. */
export const apiVersion = Stripe.API_VERSION;

/**
 * Stores an event with the record's current state, and its delivery, together with the change.
 * @param call the request that caused it; null for a scheduled change
 */
export function emit(store: Store, call: Call | null, type: Stripe.Event['type'], record: ApiRecord): void {
  // Of the rendered records, only payouts belong to a connected account.
  const account = record.kind === 'payout' ? record.account : null;
  putEvent(store, call, { type, object: render(store, record), version: 'v1', account });
}

/** Stores an event of version 2, which refers to its account. */
export function emitThin(
  store: Store,
  call: Call | null,
  type: Stripe.V2.Core.EventNotification['type'],
  { id }: Account,
): void {
  const object = { id, type: 'v2.core.account', url: `/v2/core/accounts/${id}` };
  putEvent(store, call, { type, object, version: 'v2', account: null });
}

function putEvent(
  store: Store,
  call: Call | null,
  event: Pick<Event, 'type' | 'object' | 'version' | 'account'>,
): void {
  const record = newRecord('event', 'evt');
  store.put({
    ...record,
    request: call?.requestId ?? null,
    idempotencyKey: call?.idempotencyKey ?? null,
    ...event,
  });
  const deliver = (to: string) =>
    store.put({ kind: 'delivery', id: to, status: 'pending', attempts: 0, lastAnswer: null, dueAt: 0 });
  deliver(record.id);
  for (const destination of destinationsOf(store)) {
    if (isFor(destination, event)) deliver(`${record.id}/${destination.id}`);
  }
}

/** The event destinations that exist. */
export const destinationsOf = (store: Store): EventDestination[] =>
  store.all('eventDestination').filter(({ isDeleted }) => !isDeleted);

/** Whether a destination gets an event. */
function isFor(
  { payload, enabledEvents, eventsFrom }: EventDestination,
  { type, version, account }: Pick<Event, 'type' | 'version' | 'account'>,
): boolean {
  if ((payload === 'thin') !== (version === 'v2')) return false;
  if (!enabledEvents.includes(type) && !enabledEvents.includes('*')) return false;
  // Which of the scopes has events about accounts is not documented, so that a destination needs both.
  if (version === 'v2') return eventsFrom.includes('@self') && eventsFrom.includes('@accounts');
  return eventsFrom.includes(account === null ? '@self' : '@accounts');
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
  if (event.version === 'v2') return renderThinEvent(event);
  return {
    id: event.id,
    object: 'event',
    ...(event.account === null ? {} : { account: event.account }),
    api_version: apiVersion,
    created: event.created,
    data: { object: event.object },
    livemode: false,
    pending_webhooks: pendingWebhooks,
    request: { id: event.request, idempotency_key: event.idempotencyKey },
    type: event.type,
  };
}

function renderThinEvent(event: Event): Record<string, unknown> {
  return {
    id: event.id,
    object: 'v2.core.event',
    type: event.type,
    created: new Date(event.created * 1000).toISOString(),
    livemode: false,
    related_object: event.object,
    ...(event.request === null
      ? {}
      : {
          reason: {
            type: 'request',
            request: { id: event.request, idempotency_key: event.idempotencyKey ?? '' },
          },
        }),
  };
}
