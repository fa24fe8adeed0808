import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, Endpoint, List, Rendered } from '../api/endpoint.ts';
import { listPage } from '../api/lists.ts';
import { expand, paging, readParameters, text } from '../api/parameters.ts';
import type { Store } from '../storage/store.ts';
import { type Balance, balancesOf } from './movements.ts';

const listParameters = paging.extend({
  currency: text.optional(),
  payout: text.optional(),
  source: text.optional(),
  type: text.optional(),
});

function list(store: Store, call: Call): List {
  const query = readParameters(listParameters, call.parameters);
  const { source, type, currency, payout } = query;
  const records = store
    .all('movement')
    .filter(({ account }) => account === call.account)
    .filter((movement) => source === undefined || movement.source === source)
    .filter((movement) => payout === undefined || movement.source === payout)
    .filter((movement) => currency === undefined || movement.currency === currency.toLowerCase())
    .filter((movement) => type === undefined || movement.type === type);
  return listPage(store, '/v1/balance_transactions', 'movement', records, query);
}

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
  { method: 'GET', path: '/v1/balance_transactions', allowsAccount: true, handle: list },
];
