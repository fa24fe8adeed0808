import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import * as contract from '#contract/people.ts';
import { recordSellerCheck } from '#contract/seller-checks.ts';
import { sellerChecks } from '../accounts/rules.ts';
import { ratingOf } from '../catalogue/rules.ts';
import type { Page } from '../database/page.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { encodeCursor, keyedPageRequest, sendPage } from '../http/paging.ts';
import { formatPhone } from '../phone-numbers.ts';
import * as actions from './actions.ts';
import { PersonKey, type RatedUser } from './store.ts';

function toResponse({ id, name, email, email_verified, reviews, stars }: RatedUser): contract.Buyer {
  const rating = ratingOf(reviews, stars);
  return { _id: id, name, email, emailVerified: email_verified, ...(rating !== null && { rating }) };
}

/** Admins' lists of buyers and sellers, verification and deletion of accounts. */
export async function peoplePlugin(
  app: FastifyInstance,
  { api, ...dependencies }: actions.PeopleDependencies & { api: Api },
): Promise<void> {
  function listPeople(
    role: 'Buyer' | 'Seller',
    { search, sort = 'newest', ...paging }: z.output<typeof contract.PeopleQuery>,
  ): Promise<Page<RatedUser>> {
    const page = keyedPageRequest(paging, PersonKey);
    return actions.listPeople(dependencies.database, search, { role, sort, page, encode: encodeCursor });
  }

  await registerCalls(app, api, (serve) => {
    serve(contract.listSellers, async (call) => {
      const page = await listPeople('Seller', call.query);
      const emailsByPhone = await actions.findPhoneHolders(dependencies.database, page.rows);
      return sendPage(call, page, (user) => ({
        ...toResponse(user),
        status: user.verified,
        checks: sellerChecks(user),
        phone:
          user.phone === null
            ? null
            : {
                number: formatPhone(user.phone),
                alsoOf: (emailsByPhone.get(user.phone) ?? [])
                  .filter((email) => email !== user.email)
                  .slice(0, contract.MAXIMUM_SHARED_PHONES),
              },
      }));
    });

    serve(contract.listBuyers, async (call) =>
      sendPage(call, await listPeople('Buyer', call.query), toResponse),
    );

    serve(contract.verifySeller, async ({ caller, params }) => ({
      acknowledged: true,
      modifiedCount: await actions.verifySeller(dependencies, caller, params.email),
    }));

    serve(recordSellerCheck, async ({ caller, params, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.recordSellerCheck(dependencies, caller, params.email, body.document),
    }));

    serve(contract.deleteSeller, async ({ caller, params }) => ({
      acknowledged: true,
      ...(await actions.deleteAccount(dependencies, caller, { id: params._id, role: 'Seller' })),
    }));

    serve(contract.deleteBuyer, async ({ caller, params }) => ({
      acknowledged: true,
      ...(await actions.deleteAccount(dependencies, caller, { id: params._id, role: 'Buyer' })),
    }));
  });
}
