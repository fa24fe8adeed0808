import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Inserted, Modified, Paging, text } from '#contract/platform/scalars.ts';
import { MAXIMUM_LISTED_REPORTS, ReviewReport } from './review-reports.ts';

/** The maximum length of a review and of an answer. */
export const MAXIMUM_REVIEW_LENGTH = 2000;
/** How long one review waits for the other one, in days after the hand-over. */
export const REVIEW_WAIT_DAYS = 14;
/** How long reviews can be written, in days after the hand-over. */
export const REVIEW_DAYS = 60;

/** The sides of an order that review each other. */
export const reviewSides = ['buyer', 'seller'] as const;
export type ReviewSide = (typeof reviewSides)[number];

export const ReviewAnswer = z.object({
  text: z.string(),
  /** ISO 8601 in UTC. */
  at: z.string(),
});

const stars = z
  .int({ error: 'Choose one to five stars' })
  .check(z.gte(1, { error: 'Choose one to five stars' }), z.lte(5, { error: 'Choose one to five stars' }));

/** What all responses have of a review. */
export const writtenReview = {
  _id: Id,
  stars: z.int(),
  /** Whether the stars count once the review is shown: false when more than half of the price went back, or the sale is not decided yet. */
  counts: z.boolean(),
  text: z.string(),
  /** When it was written; ISO 8601 in UTC. */
  at: z.string(),
  answer: z.nullable(ReviewAnswer),
};

/** A review, for the people of its order and for admins. */
export const OrderReview = z.object({
  ...writtenReview,
  /** The side that wrote it. */
  by: z.enum(reviewSides),
  /** Whether it is shown to the other side and to everybody. */
  isShown: z.boolean(),
  /** Why an admin removed it; only for its author and admins. */
  removedBecause: z.optional(z.string()),
  /** What the caller can do with it. */
  actions: z.array(z.enum(['answer', 'report'])),
});
export type OrderReview = z.infer<typeof OrderReview>;

/** The reviews of an order that the caller may read. */
export const ReviewsOfOrder = z.object({
  reviews: z.array(OrderReview),
  /** Whether the other side has written a review that the caller cannot read yet. */
  otherWaits: z.boolean(),
  /** Whether the caller can write a review now. */
  canWrite: z.boolean(),
  /** When a single review is shown without the other one, ISO 8601 in UTC; null before the hand-over. */
  shownFrom: z.nullable(z.string()),
});
export type ReviewsOfOrder = z.infer<typeof ReviewsOfOrder>;

/** A review of any order, for admins. */
export const ListedReview = z.object({
  ...writtenReview,
  by: z.enum(reviewSides),
  orderId: Id,
  productName: z.string(),
  authorName: z.string(),
  subjectName: z.string(),
  isShown: z.boolean(),
  removedBecause: z.nullable(z.string()),
  /** The latest reports, newest first. */
  reports: z.array(ReviewReport).check(z.maxLength(MAXIMUM_LISTED_REPORTS)),
  /** What an admin can do with it now. */
  actions: z.array(z.enum(['dismiss', 'remove'])),
});
export type ListedReview = z.infer<typeof ListedReview>;

const ById = z.object({ _id: Id });

export const readReviewsOfOrder = endpoint({
  method: 'GET',
  path: '/orders/:_id/reviews',
  access: 'signed-in',
  summary: 'The reviews of an order: one’s own, and the other side’s when it is shown',
  params: ById,
  response: ReviewsOfOrder,
  refusals: ['not_found'],
});

export const writeReview = endpoint({
  method: 'POST',
  path: '/orders/:_id/reviews',
  access: ['Buyer', 'Seller'],
  summary: 'Reviews the other side of an order, once; nobody reads it before the other review is written',
  params: ById,
  body: z.object({ stars, text: text(MAXIMUM_REVIEW_LENGTH, 'Say in words how it went') }),
  response: Inserted,
  refusals: ['not_found', 'review_refused'],
  limit: 'reviewing',
  idempotencyKey: true,
});

export const answerReview = endpoint({
  method: 'PUT',
  path: '/reviews/:_id/answer',
  access: ['Buyer', 'Seller'],
  summary: 'Answers a review about oneself, once',
  params: ById,
  body: z.object({ text: text(MAXIMUM_REVIEW_LENGTH, 'Write your answer') }),
  response: Modified,
  refusals: ['not_found', 'review_refused'],
  limit: 'reviewing',
  changes: ['orders'],
});

export const removeReview = endpoint({
  method: 'PUT',
  path: '/reviews/:_id/remove',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Removes a review with a reason, which its author reads',
  params: ById,
  body: z.object({ reason: text(1000, 'Say why, so that the author understands') }),
  response: Modified,
  refusals: ['not_found'],
  changes: ['orders'],
});

export const listReviews = endpoint({
  method: 'GET',
  path: '/reviews',
  access: ['Admin'],
  rights: ['complaints'],
  summary:
    'All reviews, or those of an order, with their reports: those with open reports first, then the newest',
  query: z.extend(Paging, { order: z.optional(Id) }),
  response: z.array(ListedReview),
});
