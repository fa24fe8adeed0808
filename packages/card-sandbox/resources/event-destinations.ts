import type Stripe from 'stripe';
import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { Call, Endpoint, Page, Rendered } from '../api/endpoint.ts';
import { newId, newRecord } from '../identifiers.ts';
import type { EventDestination } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { apiVersion, destinationsOf } from '../webhooks/events.ts';
import { readJsonParameters } from './accounts.ts';

/** How many destinations an account can have. Source: https://docs.stripe.com/webhooks */
const MAXIMUM = 16;

const scopes = z.enum(['@self', '@accounts']);

const include = z.array(z.enum(['webhook_endpoint.signing_secret', 'webhook_endpoint.url'])).default([]);

/** `*` for all; else the types one by one. Those of thin events begin with the version of their API. */
const typesOf = (type: RegExp) => z.array(z.literal('*').or(z.string().regex(type))).min(1);

const shared = {
  name: z.string().min(1).max(100),
  type: z.literal('webhook_endpoint'),
  webhook_endpoint: z.strictObject({ url: z.url({ protocol: /^https?$/ }) }),
  events_from: z.array(scopes).min(1).default(['@self']),
  metadata: z.record(z.string().max(40), z.string().max(500)).default({}),
  include,
};

const createParameters = z.discriminatedUnion('event_payload', [
  z.strictObject({
    ...shared,
    event_payload: z.literal('snapshot'),
    enabled_events: typesOf(/^(?!v\d)[a-z_]+(\.[a-z_]+)+$/),
    snapshot_api_version: z.literal(apiVersion).default(apiVersion),
  }),
  z.strictObject({
    ...shared,
    event_payload: z.literal('thin'),
    enabled_events: typesOf(/^v\d\.[a-z0-9_.[\]]+$/),
  }),
]);

function renderDestination(
  destination: EventDestination,
  parts: z.output<typeof include>,
  { withSecret }: { withSecret: boolean },
): Rendered {
  const created = new Date(destination.created * 1000).toISOString();
  const rendered: Stripe.V2.Core.EventDestination = {
    id: destination.id,
    object: 'v2.core.event_destination',
    created,
    updated: created,
    description: '',
    enabled_events: destination.enabledEvents,
    event_payload: destination.payload,
    events_from: destination.eventsFrom,
    livemode: false,
    metadata: destination.metadata,
    name: destination.name,
    ...(destination.payload === 'snapshot' && { snapshot_api_version: apiVersion }),
    status: destination.status,
    type: 'webhook_endpoint',
    webhook_endpoint: {
      ...(parts.includes('webhook_endpoint.url') && { url: destination.url }),
      ...(withSecret &&
        parts.includes('webhook_endpoint.signing_secret') && { signing_secret: destination.secret }),
    },
  };
  return { ...rendered };
}

function create(store: Store, call: Call): Rendered {
  const given = readJsonParameters(createParameters, call.parameters);
  if (destinationsOf(store).length >= MAXIMUM) {
    throw new ApiError(
      400,
      'invalid_request_error',
      `An account has at most ${MAXIMUM} event destinations.`,
      {
        code: 'limit_exceeded',
      },
    );
  }
  const destination: EventDestination = {
    ...newRecord('eventDestination', 'ed_test'),
    name: given.name,
    url: given.webhook_endpoint.url,
    payload: given.event_payload,
    enabledEvents: given.enabled_events,
    eventsFrom: given.events_from,
    metadata: given.metadata,
    secret: newId('whsec'),
    status: 'enabled',
    isDeleted: false,
  };
  store.put(destination);
  return renderDestination(destination, given.include, { withSecret: true });
}

function list(store: Store, call: Call): Page {
  const parameters = z.strictObject({ include, limit: z.coerce.number().int().min(1).max(100).optional() });
  const given = readJsonParameters(parameters, call.parameters);
  // There are at most 16, so that one page has all of them.
  const data = destinationsOf(store).map((each) =>
    renderDestination(each, given.include, { withSecret: false }),
  );
  return { data, next_page_url: null, previous_page_url: null };
}

function find(store: Store, { id }: Call): EventDestination {
  const destination = store.find('eventDestination', id);
  if (destination?.isDeleted === false) return destination;
  throw new ApiError(404, 'invalid_request_error', `No such event destination: '${id}'`, {
    code: 'not_found',
  });
}

function disable(store: Store, call: Call): Rendered {
  const { include: parts } = readJsonParameters(z.strictObject({ include }), call.parameters);
  const disabled: EventDestination = { ...find(store, call), status: 'disabled' };
  store.put(disabled);
  return renderDestination(disabled, parts, { withSecret: false });
}

function remove(store: Store, call: Call): Rendered {
  const destination = find(store, call);
  store.put({ ...destination, isDeleted: true });
  return { object: 'v2.core.event_destination', id: destination.id, deleted: true };
}

const path = '/v2/core/event_destinations';

export const eventDestinationEndpoints: Endpoint[] = [
  { method: 'POST', path, handle: create },
  { method: 'GET', path, handle: list },
  { method: 'POST', path: `${path}/:id/disable`, handle: disable },
  { method: 'DELETE', path: `${path}/:id`, handle: remove },
];
