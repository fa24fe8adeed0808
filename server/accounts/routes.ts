import * as contract from '#contract/accounts.ts';
import type { Database, UserRow } from '../database/tables.ts';
import { linkNext, offsetOf } from '../http/paging.ts';
import type { Call, Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import * as store from './store.ts';
import type { Tokens } from './tokens.ts';

type PeopleCall = Pick<Call<typeof contract.listSellers>, 'query' | 'request' | 'reply'>;

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
    ...(caller.secondFactorDue && { secondFactorDue: true as const }),
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

  /** A page of living people of a role; the Link header says where the next one is. */
  async function people(role: 'Buyer' | 'Seller', { query, request, reply }: PeopleCall): Promise<UserRow[]> {
    const { limit, offset } = offsetOf(query);
    const { search, sort = 'newest' } = query;
    const rows = await store.listAlive(database, { role, search, sort, limit: limit + 1, offset });
    linkNext(request, reply, rows.length > limit ? String(offset + limit) : null);
    return rows.slice(0, limit);
  }

  serve(contract.listSellers, async (call) => {
    const rows = await people('Seller', call);
    return rows.map(({ id, name, email, verified }) => ({ _id: id, name, email, status: verified }));
  });

  serve(contract.listBuyers, async (call) => {
    const rows = await people('Buyer', call);
    return rows.map(({ id, name, email }) => ({ _id: id, name, email }));
  });
}
