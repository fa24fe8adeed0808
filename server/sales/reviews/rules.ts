import * as z from 'zod/mini';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { ReviewReport, ReviewReportReason } from '#contract/sales/review-reports.ts';
import {
  type ListedReview,
  type OrderReview,
  REVIEW_DAYS,
  REVIEW_WAIT_DAYS,
  type ReviewSide,
  type ReviewsOfOrder,
} from '#contract/sales/reviews.ts';
import type { PublicReview, PublicSeller } from '#contract/sales/seller-pages.ts';
import { ratingOf } from '#server/listings/catalogue/rules.ts';
import { type SellerCheckColumns, sellerChecks } from '#server/people/accounts/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';

export type ReviewRow = Row<'reviews'>;

/** A stored review, and whether the sale stands with which it counts. */
export interface ReviewOfSale extends ReviewRow {
  counts: boolean;
}

/** A review with its order and people. */
export interface ReviewOfPeople extends ReviewOfSale {
  laptop_name: string;
  author_name: string;
  subject_name: string;
}

/** A review in the admins' list. */
export interface ReviewInList extends ReviewOfPeople {
  has_open: boolean;
}

/** The sort key of the admins' list, from which its cursors are made. */
export const ReviewCursorKey = z.object({
  /** Whether the review has open reports. */
  hasOpen: z.boolean(),
  /** The number of the review. */
  number: z.string().check(z.regex(/^\d{1,18}$/)),
});
export type ReviewCursorKey = z.infer<typeof ReviewCursorKey>;

/** A report of a review with its reporter. */
export interface ReviewReportRow extends Row<'review_reports'> {
  reason: ReviewReportReason;
  reporter_name: string;
}

/** A review in the audit trail. */
export const reviewSubject = ({ author_id, subject_id, laptop_name }: ReviewOfPeople) => ({
  personIds: [author_id, subject_id],
  subject: `Review about ${laptop_name}`,
});

/** When a review of an order is shown without the other one. */
export const reviewDueAt = (handedOverAt: Date): Date =>
  new Date(handedOverAt.getTime() + REVIEW_WAIT_DAYS * DAY_MS);

/**
 * Why a side cannot review an order after its hand-over; null when it can. Nobody writes after reading: a shown review can only be
 * answered.
 */
export function reviewRefusal(
  handedOverAt: Date,
  reviews: readonly ReviewRow[],
  { side, now }: { side: ReviewSide; now: Date },
): string | null {
  if (reviews.some((review) => review.side === side)) {
    return 'You have reviewed this order already. A review stays as it was written.';
  }
  if (reviews.some(({ shown_at }) => shown_at !== null)) {
    return 'The other review is shown already, so it can only be answered.';
  }
  return now.getTime() > handedOverAt.getTime() + REVIEW_DAYS * DAY_MS
    ? `Reviews can be written within ${REVIEW_DAYS} days of the hand-over.`
    : null;
}

/** Why a review cannot be answered; null when it can. */
export function answerRefusal({ shown_at, removed_at, answer }: ReviewRow): string | null {
  if (shown_at === null) return 'This review is not shown yet.';
  if (removed_at !== null) return 'An admin has removed this review, so it needs no answer.';
  return answer === null ? null : 'You have answered this review already. An answer stays as it was written.';
}

/**
 * Whether somebody other than its author can read a review: everybody reads those about sellers, and only the people of the order
 * and admins those about buyers.
 * @param role in the order; null of other people
 */
export const isReadableBy = (
  { shown_at, removed_at, side }: Pick<ReviewRow, 'shown_at' | 'removed_at' | 'side'>,
  role: ReviewSide | 'admin' | null,
): boolean => shown_at !== null && removed_at === null && (side === 'buyer' || role !== null);

const answerResponse = ({ answer, answered_at }: ReviewRow) =>
  answer === null || answered_at === null ? null : { text: answer, at: answered_at.toISOString() };

/** What all responses have of a review. */
export const writtenResponse = (row: ReviewOfSale) => ({
  _id: row.id,
  stars: row.stars,
  counts: row.counts,
  text: row.text,
  at: row.written_at.toISOString(),
  answer: answerResponse(row),
});

function orderReview(row: ReviewOfSale, role: ReviewSide | 'admin'): OrderReview {
  const isAuthor = row.side === role;
  const canAnswer = !isAuthor && role !== 'admin' && answerRefusal(row) === null;
  const canReport = !isAuthor && role !== 'admin' && isReadableBy(row, role);
  return {
    ...writtenResponse(row),
    by: row.side,
    isShown: row.shown_at !== null && row.removed_at === null,
    ...(row.removal_reason !== null && { removedBecause: row.removal_reason }),
    actions: [...(canAnswer ? (['answer'] as const) : []), ...(canReport ? (['report'] as const) : [])],
  };
}

/** The response for the reviews of an order: a side reads its own, and the other one while that is shown. */
export function reviewsOfOrder(
  handedOverAt: Date | null,
  rows: readonly ReviewOfSale[],
  { role, now }: { role: ReviewSide | 'admin'; now: Date },
): ReviewsOfOrder {
  const readable = rows.filter((row) => role === 'admin' || row.side === role || isReadableBy(row, role));
  return {
    reviews: readable.map((row) => orderReview(row, role)),
    otherWaits: role !== 'admin' && rows.some(({ side, shown_at }) => side !== role && shown_at === null),
    canWrite:
      role !== 'admin' &&
      handedOverAt !== null &&
      reviewRefusal(handedOverAt, rows, { side: role, now }) === null,
    shownFrom: handedOverAt === null ? null : reviewDueAt(handedOverAt).toISOString(),
  };
}

/** A person's first name with the initial of the last one, for everybody. */
export function publicName(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/u);
  const [initial] = others.at(-1) ?? '';
  return initial === undefined ? first : `${first} ${initial}.`;
}

/** A review about a seller. */
export interface ReviewOfSeller extends ReviewOfPeople {
  author_ended_at: Date | null;
}

/** The response for a shown review, for everybody. */
export const publicReview = (row: ReviewOfSeller): PublicReview => ({
  ...writtenResponse(row),
  by: row.author_ended_at === null ? publicName(row.author_name) : null,
  productName: row.laptop_name,
});

/** A user with the sums of their reviews and sales, which are null without any. */
export interface SellerRow
  extends SellerCheckColumns,
    Pick<Row<'users'>, 'id' | 'name' | 'verified' | 'created_at'> {
  sold: number | null;
  reviews: number | null;
  stars: number | null;
}

/** The response for a seller, for everybody. */
export function publicSeller(row: SellerRow): PublicSeller {
  const rating = ratingOf(row.reviews, row.stars);
  return {
    _id: row.id,
    name: row.name,
    since: row.created_at.toISOString().slice(0, 7),
    verified: row.verified,
    checks: row.verified ? sellerChecks(row) : null,
    sold: row.sold ?? 0,
    ...(rating !== null && { rating }),
  };
}

const reportStates = { dismissed: 'Dismissed', removed: 'Removed' } as const;

const reportResponse = (row: ReviewReportRow): ReviewReport => ({
  _id: row.id,
  reason: row.reason,
  note: row.note,
  reporterName: row.reporter_name,
  reportedAt: row.reported_at.toISOString(),
  state: row.resolution === null ? 'Open' : reportStates[row.resolution],
});

/** The response for a review in the admins' list. */
export const listedReview = (row: ReviewInList, reports: readonly ReviewReportRow[]): ListedReview => ({
  ...writtenResponse(row),
  by: row.side,
  orderId: row.order_id,
  productName: row.laptop_name,
  authorName: row.author_name,
  subjectName: row.subject_name,
  isShown: row.shown_at !== null && row.removed_at === null,
  removedBecause: row.removal_reason,
  reports: reports.map(reportResponse),
  actions: [
    ...(row.has_open ? (['dismiss'] as const) : []),
    ...(row.removed_at === null ? (['remove'] as const) : []),
  ],
});
