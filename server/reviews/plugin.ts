import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/reviews.ts';
import { listReviewsOfSeller, readSeller } from '#contract/seller-pages.ts';
import { sellerTag } from '../catalogue/steps.ts';
import type { PublicReader } from '../database/replica.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { declareCacheDependencies } from '../http/cache-dependencies.ts';
import { pageRequest, sendPage } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { Work } from '../jobs/work.ts';
import * as actions from './actions.ts';
import * as notifications from './notifications.ts';
import { listedReview, publicReview, publicSeller } from './rules.ts';
import * as store from './store.ts';

/** Routes for the two sides of an order, and for admins. */
function reviewRoutes(
  serve: Serve,
  dependencies: actions.ReviewDependencies & { publicReader: PublicReader },
): void {
  const { database, enqueue, cache, publicReader } = dependencies;

  serve(contract.readReviewsOfOrder, ({ caller, params }) =>
    actions.readReviews(database, caller, params._id),
  );

  serve.idempotent(contract.writeReview, async ({ caller, params, body }, transact) => {
    const written = await transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await actions.writeReview(transaction, enqueue, caller, { orderId: params._id, ...body }),
    }));
    await cache.waitForInvalidation();
    return written;
  });

  serve(contract.answerReview, async ({ caller, params, body }) => {
    await actions.answerReview(dependencies, caller, params._id, body.text);
    return { acknowledged: true, modifiedCount: 1 };
  });

  serve(contract.removeReview, async ({ caller, params, body }) => ({
    acknowledged: true,
    modifiedCount: await actions.removeReview(dependencies, caller, { id: params._id, reason: body.reason }),
  }));

  serve(readSeller, async ({ params }) => {
    declareCacheDependencies({ tags: [sellerTag(params.sellerId)], until: null });
    return publicSeller(await publicReader.read((reader) => actions.readSeller(reader, params.sellerId)));
  });

  serve(listReviewsOfSeller, async (call) => {
    const { sellerId } = call.params;
    declareCacheDependencies({ tags: [sellerTag(sellerId)], until: null });
    const request = pageRequest(call.query);
    const page = await publicReader.read((reader) => store.shownReviews(reader, sellerId, request));
    return sendPage(call, page, publicReview);
  });

  serve(contract.listReviews, async (call) =>
    sendPage(call, await store.listReviews(database, pageRequest(call.query)), listedReview),
  );
}

export interface ReviewsOptions extends actions.ReviewDependencies, notifications.NotificationDependencies {
  api: Api;
  publicReader: PublicReader;
  work: Work;
}

/** How often the shop looks for reviews that have waited long enough for the other one. */
const SHOW_INTERVAL_MS = 60_000;

/** Reviews: routes, the clock that shows them, notices. */
export async function reviewsPlugin(app: FastifyInstance, options: ReviewsOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => reviewRoutes(serve, options));
  work.handle(notifications.reviewWritten, (data, id) => notifications.notifyWritten(options, data, id));
  work.handle(notifications.reviewsShown, (data, id) => notifications.notifyShown(options, data, id));
  work.handle(notifications.reviewAnswered, (data, id) => notifications.notifyAnswered(options, data, id));
  work.handle(notifications.reviewRemoved, (data, id) => notifications.notifyRemoved(options, data, id));
  work.every(
    SHOW_INTERVAL_MS,
    () => actions.showDueReviews(options, new Date()),
    (error) => app.log.error({ err: error }, 'reviews that are due could not be shown'),
  );
}
