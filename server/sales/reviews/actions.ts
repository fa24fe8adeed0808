import type { ReviewSide, ReviewsOfOrder } from '#contract/sales/reviews.ts';
import { lockAccountKeys, lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { findReadableOrder, roleInOrder } from '../orders/actions.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { findOrder, selectOrderForUpdate } from '../orders/steps.ts';
import { reviewAnswered, reviewRemoved, reviewsShown, reviewWritten } from './notifications.ts';
import { resolveReports, reviewNotFound } from './reports.ts';
import {
  answerRefusal,
  reviewDueAt,
  reviewRefusal,
  reviewSubject,
  reviewsOfOrder,
  type SellerRow,
} from './rules.ts';
import * as store from './store.ts';

type ReviewDependencies = Pick<Context, 'database' | 'enqueue' | 'cache'>;

const otherSide = { buyer: 'seller', seller: 'buyer' } as const satisfies Record<ReviewSide, ReviewSide>;

const ownReviewNotFound = () => new Refusal('not_found', 'There is no such review about you.');

/** The reviews of an order, see {@link findReadableOrder}. @throws Refusal */
export async function readReviews(
  database: Database,
  caller: Caller,
  orderId: string,
): Promise<ReviewsOfOrder> {
  const { role } = await findReadableOrder(database, caller, orderId);
  const [handedOverAt, reviews] = await Promise.all([
    store.handedOverAt(database, orderId),
    store.reviewsOf(database, orderId),
  ]);
  return reviewsOfOrder(handedOverAt, reviews, { role, now: new Date() });
}

/** Reads a seller for everybody. @throws Refusal for an unknown one, and for one who has left */
export async function readSeller(reader: Reader, id: string): Promise<SellerRow> {
  const seller = await store.findSeller(reader, id);
  if (seller === undefined) throw new Refusal('not_found', 'There is no such seller in this shop.');
  if (seller.ended_at !== null) throw new Refusal('seller_left', 'This seller has left the shop.');
  return seller;
}

/** Reviews the other side of an order. @returns the review's id @throws Refusal */
export async function writeReview(
  transaction: Transaction,
  enqueue: Enqueue,
  caller: Caller,
  { orderId, stars, text }: { orderId: string; stars: number; text: string },
): Promise<string> {
  if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
  const unlocked = await findOrder(transaction, orderId);
  const side = unlocked && roleInOrder(unlocked, caller, ['complaints']);
  if (!side || side === 'admin') throw orderNotFound();
  const people = { buyer: unlocked.buyer_id, seller: unlocked.seller_id };
  await lockAccountKeys(transaction, [people.buyer, people.seller]);
  // Both sides wait for this lock, so that the later one finds the review of the other.
  await selectOrderForUpdate(transaction, orderId);
  const handedOverAt = await store.handedOverAt(transaction, orderId);
  if (handedOverAt === null) {
    throw new Refusal('review_refused', 'You can review each other after the hand-over.');
  }
  const reviews = await store.reviewsOf(transaction, orderId);
  const now = new Date();
  const refusal = reviewRefusal(handedOverAt, reviews, { side, now });
  if (refusal !== null) throw new Refusal('review_refused', refusal);
  const id = await store.insertReview(transaction, {
    order_id: orderId,
    side,
    author_id: people[side],
    subject_id: people[otherSide[side]],
    stars,
    text,
    due_at: reviewDueAt(handedOverAt),
  });
  if (reviews.length > 0 || reviewDueAt(handedOverAt) <= now) {
    await store.showReviewsOf(transaction, orderId);
    await enqueue(transaction, reviewsShown, { orderId });
  } else {
    await enqueue(transaction, reviewWritten, { orderId, tell: otherSide[side] });
  }
  return id;
}

/** Answers a review about the caller. @throws Refusal */
export async function answerReview(
  { database, enqueue, cache }: ReviewDependencies,
  caller: Caller,
  id: string,
  text: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Before the review, as when one is written.
    if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
    const review = await store.selectReviewForUpdate(transaction, id);
    // A review that is not shown yet is like none.
    if (review === undefined || review.subject_id !== caller.userId || review.shown_at === null) {
      throw ownReviewNotFound();
    }
    const refusal = answerRefusal(review);
    if (refusal !== null) throw new Refusal('review_refused', refusal);
    await store.updateReview(transaction, id, { answer: text, answered_at: new Date() });
    await enqueue(transaction, reviewAnswered, { reviewId: id });
  });
  await cache.waitForInvalidation();
}

/** Removes a review. @returns rows changed: 0 when it was removed before @throws Refusal for an unknown one */
export async function removeReview(
  { database, enqueue, cache }: ReviewDependencies,
  admin: Caller,
  { id, reason }: { id: string; reason: string },
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    const review = await store.selectReviewForUpdate(transaction, id);
    if (review === undefined) throw reviewNotFound();
    if (review.removed_at !== null) return 0;
    await store.updateReview(transaction, id, {
      removed_at: new Date(),
      removed_by_id: admin.userId,
      removal_reason: reason,
    });
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Removed review',
      ...reviewSubject(review),
      note: reason,
    });
    await enqueue(transaction, reviewRemoved, { reviewId: id });
    await resolveReports(transaction, enqueue, id, 'removed');
    return 1;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}

/** The number of orders whose due reviews are selected at a time. */
const ORDERS_PER_BATCH = 50;

/**
 * Shows the reviews that have waited long enough for the other one. Several processes can do this at once.
 * @throws AggregateError with the failures; these reviews are postponed, and all others are shown
 */
export async function showDueReviews(
  { database, enqueue }: Pick<Context, 'database' | 'enqueue'>,
  now: Date,
): Promise<void> {
  const show = (orderId: string) =>
    database.transaction().execute(async (transaction) => {
      // The order first, as when a review is written.
      await selectOrderForUpdate(transaction, orderId);
      if (await store.showReviewsOf(transaction, orderId)) {
        await enqueue(transaction, reviewsShown, { orderId });
      }
    });
  const failures: unknown[] = [];
  for (;;) {
    const orderIds = await store.ordersWithDueReviews(database, now, ORDERS_PER_BATCH);
    if (orderIds.length === 0) break;
    failures.push(...(await processItems(database, 'reviews to show', orderIds, show, { now })));
  }
  throwAll(failures, 'some reviews that are due could not be shown');
}
