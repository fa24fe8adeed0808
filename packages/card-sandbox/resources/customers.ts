import { z } from 'zod';
import { notFound, requireRecord } from '../api/api-error.ts';
import type { Call, Endpoint, Rendered } from '../api/endpoint.ts';
import { retrieveEndpoint } from '../api/lists.ts';
import { expand, metadata, readId, readParameters } from '../api/parameters.ts';
import { newRecord } from '../identifiers.ts';
import type { Customer } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit, putAndEmit } from '../webhooks/events.ts';

/** A text that an empty one unsets; one that is not sent stays. */
const settable = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .transform((given) => given || null)
    .optional();

/** The lengths of https://github.com/stripe/openapi, `PostCustomers`. */
const updateParameters = z.strictObject({
  email: settable(512),
  name: settable(256),
  phone: settable(20),
  expand,
});

const createParameters = updateParameters.extend({ metadata: metadata.optional() });

/**
 * Returns a customer that is not deleted.
 * @throws {ApiError} for a deleted one as for one that never existed
 */
export function findCustomer(store: Store, id: string, param: string): Customer {
  const customer = requireRecord(store, 'customer', id, param);
  if (customer.isDeleted) throw notFound('customer', id, param);
  return customer;
}

function create(store: Store, call: Call): Customer {
  const given = readParameters(createParameters, call.parameters);
  const customer: Customer = {
    ...newRecord('customer', 'cus'),
    email: given.email ?? null,
    name: given.name ?? null,
    phone: given.phone ?? null,
    metadata: given.metadata ?? {},
    isDeleted: false,
  };
  return putAndEmit(store, call, customer, 'customer.created');
}

function update(store: Store, call: Call): Customer {
  const given = readParameters(updateParameters, call.parameters);
  const customer = findCustomer(store, call.id, 'id');
  const { email = customer.email, name = customer.name, phone = customer.phone } = given;
  return putAndEmit(store, call, { ...customer, email, name, phone }, 'customer.updated');
}

function remove(store: Store, call: Call): Rendered {
  const customer = findCustomer(store, readId(call), 'id');
  emit(store, call, 'customer.deleted', customer);
  store.put({ ...customer, email: null, name: null, phone: null, isDeleted: true });
  return { id: customer.id, object: 'customer', deleted: true };
}

export const customerEndpoints: Endpoint[] = [
  { method: 'POST', path: '/v1/customers', handle: create },
  retrieveEndpoint('customer', '/v1/customers', 'id'),
  { method: 'POST', path: '/v1/customers/:id', handle: update },
  { method: 'DELETE', path: '/v1/customers/:id', handle: remove },
];
