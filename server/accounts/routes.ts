import * as contract from '#contract/accounts.ts';
import type { Database } from '../database/tables.ts';
import { linkNext, sliceOf } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import * as store from './store.ts';
import type { Tokens } from './tokens.ts';

/** The calls about one's own account, and the admin's lists of people. */
export function accountRoutes(
  serve: Serve,
  { database, tokens }: { database: Database; tokens: Tokens },
): void {
  serve(contract.exchangeToken, async ({ caller, query }) => ({
    coomercioToken: await actions.exchange(database, tokens, caller, query.email),
  }));

  serve(contract.registerUser, async ({ caller, body }) => {
    const insertedId = await actions.register(database, caller, body);
    return insertedId === null
      ? { acknowledged: false, message: 'User already sign in' }
      : { acknowledged: true, insertedId };
  });

  serve(contract.isAdmin, async ({ caller, params }) => ({
    isAdmin: await actions.hasRole(database, caller, params.email, 'Admin'),
  }));
  serve(contract.isBuyer, async ({ caller, params }) => ({
    isBuyer: await actions.hasRole(database, caller, params.email, 'Buyer'),
  }));
  serve(contract.isSeller, async ({ caller, params }) => ({
    isSeller: await actions.hasRole(database, caller, params.email, 'Seller'),
  }));

  serve(contract.sellerStatus, async ({ params }) => ({
    status: await actions.sellerStatus(database, params.email),
  }));

  serve(contract.listSellers, async ({ query, request, reply }) => {
    const { rows, next } = await store.listAlive(database, 'Seller', sliceOf(query));
    linkNext(request, reply, next);
    return rows.map(({ id, name, email, verified }) => ({ _id: id, name, email, status: verified }));
  });

  serve(contract.listBuyers, async ({ query, request, reply }) => {
    const { rows, next } = await store.listAlive(database, 'Buyer', sliceOf(query));
    linkNext(request, reply, next);
    return rows.map(({ id, name, email }) => ({ _id: id, name, email }));
  });
}
