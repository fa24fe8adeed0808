import * as z from 'zod/mini';
import { reviewSides } from '#contract/sales/reviews.ts';
import type { Notice, Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findOrderForNotice } from '../orders/steps.ts';
import * as notices from './notices.ts';
import * as reportStore from './report-store.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

const ToSide = z.object({ orderId: z.string(), tell: z.enum(reviewSides) });
const AboutReview = z.object({ reviewId: z.string() });

/** One side has written a review. `tell` is the other one. */
export const reviewWritten = job('reviews.written', ToSide);

/** The reviews of an order are shown. One job per side. */
export const reviewsShown = job('reviews.shown', ToSide);

/** A review was answered, or an admin removed it. */
export const reviewAnswered = job('reviews.answered', AboutReview);
export const reviewRemoved = job('reviews.removed', AboutReview);

/** An admin has decided about a report of a review. */
export const reviewReportResolved = job('reviews.report-resolved', z.object({ reportId: z.string() }));

/** Notifies one side that the other one has written a review, unless it is shown by now. */
export async function notifyWritten(
  { database, notifier }: NotificationDependencies,
  { orderId, tell }: z.infer<typeof ToSide>,
  event: string,
): Promise<void> {
  const found = await findOrderForNotice(database, orderId);
  const reviews = await store.reviewsOf(database, orderId);
  if (found === null || reviews.some(({ shown_at }) => shown_at !== null)) return;
  const { order, laptop } = found;
  const userId = tell === 'buyer' ? order.buyer_id : order.seller_id;
  await notifier.notify(
    { userId, event, laptopId: order.laptop_id },
    notices.reviewWrittenNotice({ orderId, laptop }, tell),
  );
}

/** Notifies one side that the reviews are shown. */
export async function notifyShown(
  { database, notifier }: NotificationDependencies,
  { orderId, tell }: z.infer<typeof ToSide>,
  event: string,
): Promise<void> {
  const found = await findOrderForNotice(database, orderId);
  if (found === null) return;
  const { order, laptop } = found;
  const userId = tell === 'buyer' ? order.buyer_id : order.seller_id;
  await notifier.notify(
    { userId, event, laptopId: order.laptop_id },
    notices.reviewsShownNotice({ orderId, laptop }),
  );
}

/** Notifies the author of a review. */
async function notifyAuthor(
  { database, notifier }: NotificationDependencies,
  { reviewId, event }: { reviewId: string; event: string },
  toNotice: (about: { orderId: string; laptop: string }, removalReason: string) => Notice,
): Promise<void> {
  const review = await store.findReview(database, reviewId);
  const found = review && (await findOrderForNotice(database, review.order_id));
  if (!review || !found) return;
  const about = { orderId: review.order_id, laptop: found.laptop };
  const notice = toNotice(about, review.removal_reason ?? '');
  await notifier.notify({ userId: review.author_id, event, laptopId: found.order.laptop_id }, notice);
}

/** Notifies the author of a review that it was answered. */
export const notifyAnswered = (
  dependencies: NotificationDependencies,
  { reviewId }: z.infer<typeof AboutReview>,
  event: string,
): Promise<void> => notifyAuthor(dependencies, { reviewId, event }, notices.reviewAnsweredNotice);

/** Notifies the author of a review that an admin removed it, with the reason. */
export const notifyRemoved = (
  dependencies: NotificationDependencies,
  { reviewId }: z.infer<typeof AboutReview>,
  event: string,
): Promise<void> => notifyAuthor(dependencies, { reviewId, event }, notices.reviewRemovedNotice);

/** Notifies a reporter how the report of a review was resolved. */
export async function notifyReporter(
  { database, notifier }: NotificationDependencies,
  reportId: string,
  event: string,
): Promise<void> {
  const report = await reportStore.findReport(database, reportId);
  const found = report && (await findOrderForNotice(database, report.order_id));
  if (!report || !found || report.resolution === null) return;
  const notice = notices.reportResolvedNotice(report, report.resolution, found.laptop);
  await notifier.notify({ userId: report.reporter_id, event, laptopId: found.order.laptop_id }, notice);
}
