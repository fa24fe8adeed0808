import { REVIEW_WAIT_DAYS, type ReviewSide } from '#contract/sales/reviews.ts';
import type { Notice } from '#server/people/notifications/rules.ts';
import { type OrderForNotice, orderNotice } from '../orders/steps.ts';

/** A reported review, for the notice to its reporter. */
interface ReportedReview {
  reason: string;
  /** The side that wrote it. */
  side: ReviewSide;
  subject_id: string;
  order_id: string;
}

/** A notice about the reviews of an order. It quotes none: people read them on the order. */
function reviewNotice(about: OrderForNotice, title: string, paragraphs: Notice['paragraphs']): Notice {
  const notice = orderNotice(about, title, paragraphs);
  return { ...notice, topic: 'reviews', action: { ...notice.action, label: 'See the reviews' } };
}

/** The notice that the other side has written a review, which is not shown yet. */
export const reviewWrittenNotice = (order: OrderForNotice, tell: 'buyer' | 'seller'): Notice =>
  reviewNotice(order, `A review waits for yours: ${order.laptop}`, [
    `${tell === 'buyer' ? 'The seller' : 'The buyer'} has reviewed you. Both reviews are shown when you have written yours, or ${REVIEW_WAIT_DAYS} days after the hand-over.`,
    'A review that is shown can be answered, but no longer be followed by one of yours.',
  ]);

/** The notice that the reviews of an order are shown. */
export const reviewsShownNotice = (order: OrderForNotice): Notice =>
  reviewNotice(order, `The reviews of ${order.laptop} are shown`, [
    'What the two of you wrote about each other can be read now. You can answer a review about you once.',
  ]);

/** The notice to the author of a review that was answered. */
export const reviewAnsweredNotice = (order: OrderForNotice): Notice =>
  reviewNotice(order, `Your review about ${order.laptop} was answered`, [
    'The answer stands below your review.',
  ]);

/** The notice to the author of a review that an admin removed. */
export const reviewRemovedNotice = (order: OrderForNotice, reason: string): Notice =>
  reviewNotice(order, `Your review about ${order.laptop} was removed`, [
    'An admin has removed your review, so it no longer counts.',
    `The reason: ${reason}`,
  ]);

/**
 * The notice to somebody who reported a review.
 * @param laptop its name, made safe for emails
 */
export function reportResolvedNotice(
  { reason, side, subject_id, order_id }: ReportedReview,
  resolution: 'dismissed' | 'removed',
  laptop: string,
): Notice {
  return {
    topic: 'safety',
    title: 'Your report of a review',
    paragraphs: [
      `You reported a review of the sale of ${laptop} to us.`,
      resolution === 'removed'
        ? 'We looked at it and removed it. Thank you for telling us.'
        : 'We looked at it and found nothing against our rules. Thank you for telling us all the same.',
    ],
    facts: [
      ['Laptop', laptop],
      ['Your reason', reason],
    ],
    // Only the people of an order read a review about its buyer.
    action:
      side === 'buyer'
        ? { label: 'See the seller’s page', path: `/seller/${subject_id}` }
        : { label: 'See the order', path: `/dashboard/order/${order_id}` },
  };
}
