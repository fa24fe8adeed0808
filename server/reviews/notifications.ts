import * as z from 'zod/mini';
import { reviewSides } from '#contract/reviews.ts';
import { emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { Notice, Notifier } from '../notifications/rules.ts';
import { findOrder } from '../orders/steps.ts';
import * as notices from './notices.ts';
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

/** An order with its laptop's name for notices. */
async function findReviewedOrder(database: Database, orderId: string) {
  const order = await findOrder(database, orderId);
  const booking = order && (await findBooking(database, order.booking_id));
  return order && booking ? { ...order, about: { orderId, laptop: emailTexts(booking).laptop } } : null;
}

/** Notifies one side that the other one has written a review, unless it is shown by now. */
export async function notifyWritten(
  { database, notifier }: NotificationDependencies,
  { orderId, tell }: z.infer<typeof ToSide>,
  event: string,
): Promise<void> {
  const order = await findReviewedOrder(database, orderId);
  const reviews = await store.reviewsOf(database, orderId);
  if (order === null || reviews.some(({ shown_at }) => shown_at !== null)) return;
  const userId = tell === 'buyer' ? order.buyer_id : order.seller_id;
  await notifier.notify({ userId, event }, notices.reviewWrittenNotice(order.about, tell));
}

/** Notifies one side that the reviews are shown. */
export async function notifyShown(
  { database, notifier }: NotificationDependencies,
  { orderId, tell }: z.infer<typeof ToSide>,
  event: string,
): Promise<void> {
  const order = await findReviewedOrder(database, orderId);
  if (order === null) return;
  const userId = tell === 'buyer' ? order.buyer_id : order.seller_id;
  await notifier.notify({ userId, event }, notices.reviewsShownNotice(order.about));
}

/** Notifies the author of a review. */
async function notifyAuthor(
  { database, notifier }: NotificationDependencies,
  { reviewId, event }: { reviewId: string; event: string },
  toNotice: (about: { orderId: string; laptop: string }, removalReason: string) => Notice,
): Promise<void> {
  const review = await store.findReview(database, reviewId);
  const order = review && (await findReviewedOrder(database, review.order_id));
  if (!review || !order) return;
  const notice = toNotice(order.about, review.removal_reason ?? '');
  await notifier.notify({ userId: review.author_id, event }, notice);
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
