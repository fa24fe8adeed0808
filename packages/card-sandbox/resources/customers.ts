import type Stripe from 'stripe';
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

/** Renders a customer in Stripe's format. */
export function renderCustomer(customer: Customer): Stripe.Customer {
  return {
    id: customer.id,
    object: 'customer',
    address: null,
    balance: 0,
    created: customer.created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: customer.description,
    email: customer.email,
    invoice_prefix: customer.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: 1,
    phone: customer.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

export function customerEndpoints(store: Store): Endpoint[] {
  const path = '/v1/customers';
  const retrieve = (call: Call) => requireRecord(store, 'customer', readId(call), 'id');
  return [
    { method: 'POST', path, handle: (call) => create(store, call) },
    { method: 'GET', path: `${path}/:id`, handle: retrieve },
  ];
}
