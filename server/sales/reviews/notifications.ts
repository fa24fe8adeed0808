import * as z from 'zod/mini';
import { REVIEW_WAIT_DAYS, reviewSides } from '#contract/sales/reviews.ts';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import { notification } from '#server/people/notifications/steps.ts';
import { findNotifiedOrder, type NotifiedOrder, orderText } from '../orders/steps.ts';
import * as reportStore from './report-store.ts';
import * as store from './store.ts';

/** A notification about the reviews of an order. It quotes none: people read them on the order. */
function reviewText(
  about: NotifiedOrder,
  title: string,
  paragraphs: NotificationText['paragraphs'],
): NotificationText {
  const text = orderText(about, title, paragraphs);
  return { ...text, topic: 'reviews', action: { ...text.action, label: 'See the reviews' } };
}

/** One side has written a review. `tell` is the other one, who is told unless it is shown by now. */
export const reviewWritten = notification(
  'reviews.written',
  z.object({ orderId: z.string(), tell: z.enum(reviewSides) }),
  async ({ database }, { orderId, tell }) => {
    const found = await findNotifiedOrder(database, orderId);
    const reviews = await store.reviewsOf(database, orderId);
    if (found === null || reviews.some(({ shown_at }) => shown_at !== null)) return null;
    const text = reviewText(found, `A review waits for yours: ${found.laptop}`, [
      `${tell === 'buyer' ? 'The seller' : 'The buyer'} has reviewed you. Both reviews are shown when you have written yours, or ${REVIEW_WAIT_DAYS} days after the hand-over.`,
      'A review that is shown can be answered, but no longer be followed by one of yours.',
    ]);
    return found.to(tell, text);
  },
);

/** The reviews of an order are shown. Both sides are told. */
export const reviewsShown = notification(
  'reviews.shown',
  z.object({ orderId: z.string() }),
  async ({ database }, { orderId }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found === null) return null;
    const text = reviewText(found, `The reviews of ${found.laptop} are shown`, [
      'What the two of you wrote about each other can be read now. You can answer a review about you once.',
    ]);
    return reviewSides.map((side) => found.to(side, text));
  },
);

/** Declares a notification to the author of a review. @param write returns what has happened, and its paragraphs */
const toAuthor = (
  name: string,
  write: (removalReason: string) => { happened: string; paragraphs: NotificationText['paragraphs'] },
) =>
  notification(name, z.object({ reviewId: z.string() }), async ({ database }, { reviewId }) => {
    const review = await store.findReview(database, reviewId);
    const found = review && (await findNotifiedOrder(database, review.order_id));
    if (!review || !found) return null;
    const { happened, paragraphs } = write(review.removal_reason ?? '');
    const title = `Your review about ${found.laptop} was ${happened}`;
    return found.to(review.side, reviewText(found, title, paragraphs));
  });

/** A review was answered. Its author is told. */
export const reviewAnswered = toAuthor('reviews.answered', () => ({
  happened: 'answered',
  paragraphs: ['The answer stands below your review.'],
}));

/** An admin removed a review. Its author is told. */
export const reviewRemoved = toAuthor('reviews.removed', (reason) => ({
  happened: 'removed',
  paragraphs: ['An admin has removed your review, so it no longer counts.', `The reason: ${reason}`],
}));

/** An admin has decided about a report of a review. The reporter is told. */
export const reviewReportResolved = notification(
  'reviews.report-resolved',
  z.object({ reportId: z.string() }),
  async ({ database }, { reportId }) => {
    const report = await reportStore.findReport(database, reportId);
    const found = report && (await findNotifiedOrder(database, report.order_id));
    if (!report || !found || report.resolution === null) return null;
    const { laptop, order } = found;
    const text: NotificationText = {
      topic: 'safety',
      title: 'Your report of a review',
      paragraphs: [
        report.resolution === 'removed'
          ? `We looked at the review of the sale of ${laptop} that you reported, and removed it. Thank you for telling us.`
          : `We looked at the review of the sale of ${laptop} that you reported, and found nothing against our rules. Thank you for telling us all the same.`,
      ],
      facts: [
        ['Laptop', laptop],
        ['Your reason', report.reason],
      ],
      // Only the people of an order read a review about its buyer.
      action:
        report.side === 'buyer'
          ? { label: 'See the seller’s page', path: `/seller/${report.subject_id}` }
          : { label: 'See the order', path: `/dashboard/order/${order.id}` },
    };
    return { userId: report.reporter_id, laptopId: order.laptop_id, text };
  },
);

export const all = [reviewWritten, reviewsShown, reviewAnswered, reviewRemoved, reviewReportResolved];
