import { z } from 'zod';
import { requireRecord } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { expand, metadata, nullableText, readId, readParameters } from '../api/parameters.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Customer } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { putAndEmit } from '../webhooks/events.ts';

const createParameters = z.strictObject({
  email: nullableText,
  name: nullableText,
  phone: nullableText,
  description: nullableText,
  metadata: metadata.optional(),
  expand,
});

function create(store: Store, call: Call): Customer {
  const { expand: _, ...given } = readParameters(createParameters, call.parameters);
  const customer: Customer = {
    kind: 'customer',
    id: newId('cus'),
    created: nowInSeconds(),
    ...given,
    metadata: given.metadata ?? {},
  };
  return putAndEmit(store, call, customer, 'customer.created');
}

export function customerEndpoints(store: Store): Endpoint[] {
  const path = '/v1/customers';
  const retrieve = (call: Call) => requireRecord(store, 'customer', readId(call), 'id');
  return [
    { method: 'POST', path, handle: (call) => create(store, call) },
    { method: 'GET', path: `${path}/:id`, handle: retrieve },
  ];
}
