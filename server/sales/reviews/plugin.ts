import type { FastifyInstance } from 'fastify';
import { listSellerSitemaps, MAXIMUM_SITEMAP_URLS, readSellerSitemap } from '#contract/listings/sitemaps.ts';
import * as reportContract from '#contract/sales/review-reports.ts';
import * as contract from '#contract/sales/reviews.ts';
import * as sellerPages from '#contract/sales/seller-pages.ts';
import { foundLaptopResponse } from '#server/listings/catalogue/rules.ts';
import { laptopDependencies, listLaptops, offersTag, sellerTag } from '#server/listings/catalogue/steps.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { encodeCursor, keyedPageRequest, pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import * as notifications from './notifications.ts';
import * as reportStore from './report-store.ts';
import * as reports from './reports.ts';
import { listedReview, publicReview, publicSeller, ReviewCursorKey } from './rules.ts';
import * as sitemapStore from './sitemap-store.ts';
import * as store from './store.ts';

/** Routes for the two sides of an order, and for admins. */
function reviewRoutes(serve: Serve, options: ReviewsOptions): void {
  const { database, enqueue, cache, origin } = options;

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
    await actions.answerReview(options, caller, params._id, body.text);
    return modified(true);
  });

  serve(contract.removeReview, async ({ caller, params, body }) =>
    modified(await actions.removeReview(options, caller, { id: params._id, reason: body.reason })),
  );

  serve(sellerPages.readSeller, async ({ params: { sellerId } }) => {
    declareCacheDependencies({ tags: [sellerTag(sellerId)], until: null });
    return publicSeller(await actions.readSeller(database, sellerId));
  });

  serve(sellerPages.listReviewsOfSeller, async (call) => {
    const { sellerId } = call.params;
    await actions.readSeller(database, sellerId);
    const page = await store.shownReviews(database, sellerId, pageRequest(call.query));
    declareCacheDependencies({ tags: [sellerTag(sellerId)], until: null });
    return sendPage(call, page, publicReview);
  });

  serve(sellerPages.listLaptopsOfSeller, async (call) => {
    const { sellerId } = call.params;
    await actions.readSeller(database, sellerId);
    const page = await listLaptops(database, 'availableOfSeller', [sellerId], pageRequest(call.query));
    const laptops = page.rows.map(({ id }) => ({ _id: id, seller_id: sellerId }));
    declareCacheDependencies(laptopDependencies(laptops, [sellerTag(sellerId), offersTag(sellerId)]));
    return sendPage(call, page, (row) => foundLaptopResponse(row, origin));
  });
}

/** The sellers on a page of a sitemap. Their JSON is smaller than the largest page. */
const SITEMAP_PAGE_ROWS = 1_000;

/** Routes for the sitemaps of the sellers' pages. */
function sitemapRoutes(serve: Serve, { database }: ReviewsOptions): void {
  serve(listSellerSitemaps, () => sitemapStore.sitemapNumbers(database, MAXIMUM_SITEMAP_URLS));

  serve(readSellerSitemap, async (call) => {
    const request = pageRequest({ ...call.query, limit: SITEMAP_PAGE_ROWS });
    const last = call.params.number * MAXIMUM_SITEMAP_URLS;
    const page = await sitemapStore.sitemapPage(
      database,
      { from: last - MAXIMUM_SITEMAP_URLS, to: last },
      request,
    );
    return sendPage(call, page, ({ id }) => ({ _id: id }));
  });
}

/** Routes for reports of reviews, and for admins who decide about them. */
function reportRoutes(serve: Serve, { database, enqueue }: ReviewsOptions): void {
  serve.idempotent(reportContract.reportReview, ({ caller, params, body }, transact) =>
    transact(async (transaction) => {
      const report = { id: params._id, reason: body.reason, note: body.note ?? '' };
      const result = await reports.reportReview(transaction, caller, report);
      return 'refusal' in result
        ? { acknowledged: false, message: result.refusal }
        : { acknowledged: true, message: 'Thank you. An admin will look at this review.', ...result };
    }),
  );

  serve(reportContract.dismissReviewReports, async ({ caller, params, body }) => {
    const dismissed = { id: params._id, note: body.note ?? '' };
    return modified(await reports.dismissReports({ database, enqueue }, caller, dismissed));
  });

  serve(contract.listReviews, async (call) => {
    const page = await reportStore.listReviews(
      database,
      call.query.order,
      keyedPageRequest(call.query, ReviewCursorKey),
      encodeCursor,
    );
    const ids = page.rows.map(({ id }) => id);
    const latest = await reportStore.latestReportsOf(database, ids, reportContract.MAXIMUM_LISTED_REPORTS);
    const reportsOf = Map.groupBy(latest, ({ review_id }) => review_id);
    return sendPage(call, page, (review) => listedReview(review, reportsOf.get(review.id) ?? []));
  });
}

type ReviewsOptions = Context & NotificationDependencies;

/** How often the shop looks for reviews that have waited long enough for the other one. */
const SHOW_INTERVAL_MS = 60_000;

/** Reviews and their reports: routes, the periodic job that shows due reviews, notifications. */
export async function reviewsPlugin(app: FastifyInstance, options: ReviewsOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => {
    reviewRoutes(serve, options);
    sitemapRoutes(serve, options);
    reportRoutes(serve, options);
  });
  for (const each of notifications.all) each.sendIn(work, options);
  work.every(SHOW_INTERVAL_MS, 'reviews that are due could not be shown', () =>
    actions.showDueReviews(options, new Date()),
  );
}
