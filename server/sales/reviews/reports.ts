import { MAXIMUM_REVIEW_REPORTS_A_DAY, type ReviewReportReason } from '#contract/sales/review-reports.ts';
import { lockActiveAccount } from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { roleInOrder } from '../orders/actions.ts';
import { findOrder } from '../orders/steps.ts';
import { reviewReportResolved } from './notifications.ts';
import * as reportStore from './report-store.ts';
import { isReadableBy, reviewSubject } from './rules.ts';
import * as store from './store.ts';

export const reviewNotFound = () => new Refusal('not_found', 'There is no such review.');

/**
 * Reports a review that the caller can read; one report of a person about it at a time.
 * @returns the report's id, or the refusal as a sentence @throws Refusal
 */
export async function reportReview(
  transaction: Transaction,
  caller: Caller,
  { id, reason, note }: { id: string; reason: ReviewReportReason; note: string },
): Promise<{ insertedId: string } | { refusal: string }> {
  // Locked, so that concurrent requests do not exceed the number of reports.
  if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
  // Locked, so that an admin who decides about the review resolves this report as well.
  const review = await store.selectReviewForUpdate(transaction, id);
  const order = review && (await findOrder(transaction, review.order_id));
  if (!review || !order || !isReadableBy(review, roleInOrder(order, caller, ['complaints'])))
    throw reviewNotFound();
  if (review.author_id === caller.userId) return { refusal: 'This is your own review.' };
  const sent = await reportStore.countReportedToday(transaction, caller.userId, MAXIMUM_REVIEW_REPORTS_A_DAY);
  if (sent >= MAXIMUM_REVIEW_REPORTS_A_DAY) {
    throw new Refusal(
      'review_refused',
      `You have reported ${MAXIMUM_REVIEW_REPORTS_A_DAY} reviews within a day, which is the most that is possible. You can report this one tomorrow.`,
    );
  }
  const insertedId = await reportStore.insertReport(transaction, {
    review_id: id,
    reporter_id: caller.userId,
    reason,
    note,
  });
  return insertedId === null
    ? { refusal: 'You already reported this review. An admin will look at it.' }
    : { insertedId };
}

/** Resolves the open reports of a locked review, and queues the notifications to their reporters. @returns their number */
export async function resolveReports(
  transaction: Transaction,
  enqueue: Enqueue,
  reviewId: string,
  resolution: 'dismissed' | 'removed',
): Promise<number> {
  const ids = await reportStore.resolveReports(transaction, reviewId, resolution);
  for (const reportId of ids) await enqueue(transaction, reviewReportResolved, { reportId });
  return ids.length;
}

/** Dismisses the open reports of a review. @returns their number: 0 when none is open @throws Refusal for an unknown review */
export function dismissReports(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  admin: Caller,
  { id, note }: { id: string; note: string },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const review = await store.selectReviewForUpdate(transaction, id);
    if (review === undefined) throw reviewNotFound();
    const dismissed = await resolveReports(transaction, enqueue, id, 'dismissed');
    if (dismissed > 0) {
      await recordAudit(transaction, {
        adminId: admin.userId,
        act: 'Dismissed reports',
        ...reviewSubject(review),
        note,
      });
    }
    return dismissed;
  });
}
