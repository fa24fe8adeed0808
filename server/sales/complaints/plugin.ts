import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { HOUR_MS } from '#contract/platform/durations.ts';
import * as contract from '#contract/sales/complaints.ts';
import { readShopFigures } from '#contract/sales/shop-figures.ts';
import { toPhotoUrl } from '#server/listings/catalogue/rules.ts';
import { requireHostedPhotos } from '#server/listings/catalogue/steps.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { encodeCursor, keyedPageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import * as answers from './answers.ts';
import { applyComplaintDeadlines } from './deadlines.ts';
import { readFigures } from './figures-store.ts';
import * as notifications from './notifications.ts';
import { toItem } from './rules.ts';
import * as store from './store.ts';

const ListKey = z.tuple([z.boolean(), z.string().check(z.regex(/^\d{1,18}$/))]);

/** Routes for buyers, sellers and admins. */
function complaintRoutes(serve: Serve, options: answers.ComplaintDependencies & { origin: string }): void {
  const { database, origin } = options;
  const photoUrl = (photo: string) => toPhotoUrl(photo, origin);

  serve(contract.listComplaintsOfOrder, ({ caller, params }) =>
    actions.readComplaints(database, caller, params._id, photoUrl),
  );

  serve.idempotent(contract.complain, async ({ caller, params, body }, transact) => {
    // Before the transaction, because it reads the photo storage.
    const photos = await requireHostedPhotos(options, body.photos, answers.photoField);
    return transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await actions.complain(transaction, options, caller, params._id, { ...body, photos }),
    }));
  });

  serve.idempotent(contract.sayAboutComplaint, async ({ caller, params, body }, transact) => {
    const photos = await requireHostedPhotos(options, body.photos, answers.photoField);
    return transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await actions.addStatement(transaction, options, caller, params._id, { ...body, photos }),
    }));
  });

  serve(contract.answerAsBuyer, async ({ caller: { userId }, params, body }) =>
    modified(await answers.answerComplaint(options, { party: 'buyer', userId }, params._id, body)),
  );

  serve(contract.answerAsSeller, async ({ caller: { userId }, params, body }) =>
    modified(await answers.answerComplaint(options, { party: 'seller', userId }, params._id, body)),
  );

  serve(contract.cancelSale, async ({ caller, params, body }) =>
    modified(await actions.cancelSale(options, caller, params._id, body.text)),
  );

  serve(contract.decideComplaint, async ({ caller: { userId }, params, body }) =>
    modified(await answers.answerComplaint(options, { party: 'admin', userId }, params._id, body)),
  );

  serve(contract.listComplaints, async (call) => {
    const request = keyedPageRequest(call.query, ListKey);
    const list = call.query.list === 'open' ? store.listOpen : store.listClosed;
    const page = await list(database, request, encodeCursor);
    return sendPage(call, page, (row) => toItem(row, photoUrl));
  });

  serve(readShopFigures, async () => {
    declareCacheDependencies({ tags: [], until: Date.now() + HOUR_MS });
    return { figures: await readFigures(database) };
  });
}

type ComplaintsOptions = Context & answers.ComplaintDependencies & NotificationDependencies;

/** Complaints: routes, deadlines, reminders, emails. */
export async function complaintsPlugin(app: FastifyInstance, options: ComplaintsOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => complaintRoutes(serve, options));
  for (const each of notifications.all) each.sendIn(work, options);
  work.every(10_000, 'complaints could not be moved or reminded of at their deadlines', () =>
    applyComplaintDeadlines(options, new Date()),
  );
}
