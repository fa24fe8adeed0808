import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import * as contract from '#contract/operations/user-admin.ts';
import { recordSellerCheck, takeBadgeBack } from '#contract/people/seller-checks.ts';
import { ratingOf } from '#server/listings/catalogue/rules.ts';
import { recordedDocuments, sellerChecks } from '#server/people/accounts/rules.ts';
import { listWaitingNames, type WaitingNameRow } from '#server/people/accounts/steps.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import type { Context } from '#server/platform/context.ts';
import type { Page } from '#server/platform/database/keyset-page.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { encodeCursor, keyedPageRequest, pageRequest, sendPage } from '#server/platform/http/paging.ts';
import * as actions from './actions.ts';
import * as notifications from './notifications.ts';
import { PersonKey, type RatedUser } from './store.ts';

function toResponse(user: RatedUser): contract.Buyer {
  const { id, name, email, email_verified, is_buyer, is_seller, reviews, stars } = user;
  const rating = ratingOf(reviews, stars);
  return {
    _id: id,
    name,
    email,
    emailVerified: email_verified,
    ...(is_buyer && is_seller && { isBoth: true }),
    ...(rating !== null && { rating }),
  };
}

const toWaitingName = (row: WaitingNameRow): contract.WaitingName => ({
  _id: row.id,
  sellerId: row.user_id,
  email: row.email,
  name: row.present_name,
  newName: row.name,
  status: row.verified,
  checks: sellerChecks(row),
  at: row.created_at.toISOString(),
});

/** Admins' lists of buyers and sellers, verification, new names and deletion of accounts. */
export async function peoplePlugin(
  app: FastifyInstance,
  options: Context & actions.PeopleDependencies & NotificationDependencies,
): Promise<void> {
  const { api, work, database } = options;
  function listPeople(
    role: 'Buyer' | 'Seller',
    { search, sort = 'newest', ...paging }: z.output<typeof contract.PeopleQuery>,
  ): Promise<Page<RatedUser>> {
    const page = keyedPageRequest(paging, PersonKey);
    return actions.listPeople(database, search, { role, sort, page, encode: encodeCursor });
  }

  await registerCalls(app, api, (serve) => {
    serve(contract.listSellers, async (call) => {
      const page = await listPeople('Seller', call.query);
      const [emailsByPhone, openReports] = await Promise.all([
        actions.findPhoneHolders(database, page.rows),
        actions.countOpenReports(database, page.rows),
      ]);
      return sendPage(call, page, (user) => ({
        ...toResponse(user),
        status: user.verified,
        checks: sellerChecks(user),
        documents: recordedDocuments(user),
        openReports: openReports.get(user.id) ?? 0,
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

    serve(contract.verifySeller, async ({ caller, params: { email }, query: { name } }) => ({
      acknowledged: true,
      modifiedCount: await actions.verifySeller(options, caller, { email, name }),
    }));

    serve(recordSellerCheck, async ({ caller, params, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.recordSellerCheck(options, caller, params.email, body),
    }));

    serve(takeBadgeBack, async ({ caller, params, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.takeBadgeBack(options, caller, { ...params, ...body }),
    }));

    serve(contract.listWaitingNames, async (call) =>
      sendPage(call, await listWaitingNames(database, pageRequest(call.query)), toWaitingName),
    );

    serve(contract.approveName, async ({ caller, params }) => ({
      acknowledged: true,
      modifiedCount: await actions.decideName(options, caller, { id: params._id, reason: null }),
    }));

    serve(contract.refuseName, async ({ caller, params, body }) => ({
      acknowledged: true,
      modifiedCount: await actions.decideName(options, caller, { id: params._id, ...body }),
    }));

    serve(contract.deleteSeller, async ({ caller, params }) => ({
      acknowledged: true,
      ...(await actions.deleteAccount(options, caller, { id: params._id, role: 'Seller' })),
    }));

    serve(contract.deleteBuyer, async ({ caller, params }) => ({
      acknowledged: true,
      ...(await actions.deleteAccount(options, caller, { id: params._id, role: 'Buyer' })),
    }));
  });

  for (const each of [notifications.badgeTakenBack, notifications.nameDecided]) {
    each.sendIn(work, options);
  }
}
