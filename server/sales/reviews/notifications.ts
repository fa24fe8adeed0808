import * as z from 'zod/mini';
import { reviewSides } from '#contract/sales/reviews.ts';
import type { Notice } from '#server/people/notifications/rules.ts';
import { notification } from '#server/people/notifications/steps.ts';
import { findOrderForNotice, type OrderForNotice } from '../orders/steps.ts';
import * as notices from './notices.ts';
import * as reportStore from './report-store.ts';
import * as store from './store.ts';

const ToSide = z.object({ orderId: z.string(), tell: z.enum(reviewSides) });

/** One side has written a review. `tell` is the other one, who is told unless it is shown by now. */
export const reviewWritten = notification(
  'reviews.written',
  ToSide,
  async ({ database }, { orderId, tell }) => {
    const found = await findOrderForNotice(database, orderId);
    const reviews = await store.reviewsOf(database, orderId);
    if (found === null || reviews.some(({ shown_at }) => shown_at !== null)) return null;
    return { ...found.recipient(tell), notice: notices.reviewWrittenNotice(found, tell) };
  },
);

/** The reviews of an order are shown. `tell` is the recipient. */
export const reviewsShown = notification('reviews.shown', ToSide, async ({ database }, { orderId, tell }) => {
  const found = await findOrderForNotice(database, orderId);
  return found && { ...found.recipient(tell), notice: notices.reviewsShownNotice(found) };
});

/** Declares a notification to the author of a review. */
const toAuthor = (name: string, toNotice: (about: OrderForNotice, removalReason: string) => Notice) =>
  notification(name, z.object({ reviewId: z.string() }), async ({ database }, { reviewId }) => {
    const review = await store.findReview(database, reviewId);
    const found = review && (await findOrderForNotice(database, review.order_id));
    if (!review || !found) return null;
    const notice = toNotice(found, review.removal_reason ?? '');
    return { userId: review.author_id, laptopId: found.order.laptop_id, notice };
  });

/** A review was answered, or an admin removed it, with a reason. Its author is told. */
export const reviewAnswered = toAuthor('reviews.answered', notices.reviewAnsweredNotice);
export const reviewRemoved = toAuthor('reviews.removed', notices.reviewRemovedNotice);

/** An admin has decided about a report of a review. The reporter is told. */
export const reviewReportResolved = notification(
  'reviews.report-resolved',
  z.object({ reportId: z.string() }),
  async ({ database }, { reportId }) => {
    const report = await reportStore.findReport(database, reportId);
    const found = report && (await findOrderForNotice(database, report.order_id));
    if (!report || !found || report.resolution === null) return null;
    const notice = notices.reportResolvedNotice(report, report.resolution, found.laptop);
    return { userId: report.reporter_id, laptopId: found.order.laptop_id, notice };
  },
);

export const all = [reviewWritten, reviewsShown, reviewAnswered, reviewRemoved, reviewReportResolved];
