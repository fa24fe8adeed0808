import * as contract from '#contract/accounts.ts';
import type { Database } from '../database/tables.ts';
import type { Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import type { Tokens } from './tokens.ts';

/** Routes for token exchange, registration, roles and a seller's status. */
export function accountRoutes(
  serve: Serve,
  { database, tokens }: { database: Database; tokens: Tokens },
): void {
  serve(contract.exchangeToken, async ({ caller, query }) => ({
    coomercioToken: await actions.exchangeToken(database, tokens, caller, query.email),
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
}
