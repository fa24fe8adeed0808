import * as z from 'zod/mini';
import * as contract from '#contract/accounts.ts';
import type { Page } from '../database/page.ts';
import type { Database, UserRow } from '../database/tables.ts';
import { encodeCursor, keyedPageRequest, sendPage } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import type { Tokens } from './tokens.ts';

const onTheList = ({ id, name, email, email_verified }: UserRow) => ({
  _id: id,
  name,
  email,
  emailVerified: email_verified,
});

/** The key of a person's row as a cursor carries it. PostgreSQL takes no NUL in a text. */
const PersonKey = z.object({
  value: z.string().check(z.refine((value) => !value.includes('\0'))),
  number: z.string().check(z.regex(/^\d{1,18}$/)),
});

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

  function people(
    role: 'Buyer' | 'Seller',
    { search, sort = 'newest', ...paging }: z.output<typeof contract.PeopleQuery>,
  ): Promise<Page<UserRow>> {
    const page = keyedPageRequest(paging, PersonKey);
    return actions.listPeople(database, search, { role, sort, page, encode: encodeCursor });
  }

  serve(contract.listSellers, async (call) =>
    sendPage(call, await people('Seller', call.query), (user) => ({
      ...onTheList(user),
      status: user.verified,
    })),
  );

  serve(contract.listBuyers, async (call) => sendPage(call, await people('Buyer', call.query), onTheList));
}
