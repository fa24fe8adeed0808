import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, Endpoint, Rendered } from '../api/endpoint.ts';
import { listEndpoint } from '../api/lists.ts';
import { expand, readParameters } from '../api/parameters.ts';
import type { Store } from '../storage/store.ts';
import { type Balance, balancesOf } from './movements.ts';

function readBalance(store: Store, call: Call): Rendered {
  readParameters(z.strictObject({ expand }), call.parameters);
  const balances = [...balancesOf(store, call.account)];
  const amounts = (kind: keyof Balance) =>
    balances.map(([currency, { [kind]: amount }]) => ({ amount, currency, source_types: { card: amount } }));
  const balance: Stripe.Balance = {
    object: 'balance',
    available: amounts('available'),
    livemode: false,
    pending: amounts('pending'),
  };
  return { ...balance };
}

export const balanceEndpoints: Endpoint[] = [
  { method: 'GET', path: '/v1/balance', allowsAccount: true, handle: readBalance },
  listEndpoint('movement', '/v1/balance_transactions', {
    source: ({ source }) => source,
    type: ({ type }) => type,
  }),
];
