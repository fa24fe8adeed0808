import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Acknowledged, Id, Modified, optionalText } from '#contract/platform/scalars.ts';

/** The reasons for a report of a review, in the order of the form. */
export const reviewReportReasons = [
  'Not about the sale',
  'Insulting',
  'Private data',
  'Advertising',
  'Other',
] as const;
export type ReviewReportReason = (typeof reviewReportReasons)[number];

/** The maximum number of reviews that a person can report within 24 hours. */
export const MAXIMUM_REVIEW_REPORTS_A_DAY = 20;
/** The maximum number of reports that the admins' list has of one review: the latest ones. */
export const MAXIMUM_LISTED_REPORTS = 20;

/** A report of a review, for admins. */
export const ReviewReport = z.object({
  _id: Id,
  reason: z.enum(reviewReportReasons),
  note: z.string(),
  reporterName: z.string(),
  /** ISO 8601 in UTC. */
  reportedAt: z.string(),
  state: z.enum(['Open', 'Dismissed', 'Removed']),
});
export type ReviewReport = z.infer<typeof ReviewReport>;

const ById = z.object({ _id: Id });

export const reportReview = endpoint({
  method: 'POST',
  path: '/reviews/:_id/reports',
  access: 'signed-in',
  summary: 'Reports a shown review to the admins, once per person',
  params: ById,
  body: z.object({
    reason: z.enum(reviewReportReasons, { error: 'Choose a reason' }),
    note: optionalText(1000),
  }),
  response: Acknowledged,
  refusals: ['not_found', 'review_refused'],
  limit: 'reporting',
  idempotencyKey: true,
});

export const dismissReviewReports = endpoint({
  method: 'PUT',
  path: '/reviews/:_id/dismissReports',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Dismisses all open reports of a review; their reporters are notified, and the review stays',
  params: ById,
  body: z.object({ note: optionalText(1000) }),
  response: Modified,
  refusals: ['not_found'],
});
