import * as z from 'zod/mini';
import { AuditEntry } from '#contract/people/audit.ts';
import { ratedSeller } from '#contract/people/ratings.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import {
  Acknowledged,
  Id,
  Modified,
  MoneyAmount,
  optionalText,
  Paging,
  text,
} from '#contract/platform/scalars.ts';
import { Slip } from './photo-kinds.ts';

/** The reasons for a report, in the order of the form. */
export const reportReasons = ['Counterfeit', 'Not as described', 'Stolen', 'Prohibited', 'Other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** The reasons for which the shop itself reports a laptop: another listing has the same. */
export const shopReasons = ['Same laptop', 'Same part', 'Same photo'] as const;
export type ShopReason = (typeof shopReasons)[number];

const productStates = ['Available', 'Sold', 'Taken down', 'Withdrawn', 'Blocked'] as const;

export const NewReport = z.object({
  productCode: Id,
  reason: z.enum(reportReasons, { error: 'Choose a reason' }),
  note: optionalText(2000),
});

const report = {
  _id: Id,
  note: z.string(),
  /** ISO 8601 in UTC. */
  reportedAt: z.string(),
  state: z.enum(['Open', 'Dismissed', 'Taken down']),
};

/** A report by a person, or by the shop itself about two listings. */
export const Report = z.discriminatedUnion('by', [
  z.object({
    ...report,
    by: z.literal('person'),
    reason: z.enum(reportReasons),
    reporterName: z.string(),
    reporterEmail: z.string(),
  }),
  z.object({
    ...report,
    by: z.literal('shop'),
    reason: z.enum(shopReasons),
    otherLaptop: z.object({ _id: Id, name: z.string(), state: z.enum(productStates) }),
    /** The URLs of the two photos: of the reported laptop and of the other one. Only with the reason `Same photo`. */
    photos: z.optional(z.object({ reported: z.string(), other: z.string() })),
  }),
]);

/** A reported laptop with its latest reports and admin actions. */
export const ReportedItem = z.object({
  /** The laptop's id. */
  _id: Id,
  productName: z.string(),
  category_Id: z.string(),
  image: z.string(),
  price: MoneyAmount,
  productState: z.enum(productStates),
  sellerName: z.string(),
  ...ratedSeller,
  sellerEmail: z.string(),
  sellerVerified: z.boolean(),
  slip: Slip,
  state: z.enum(['Open', 'Resolved']),
  reportCount: z.int(),
  openReportCount: z.int(),
  /** The latest reports, oldest first. */
  reports: z.array(Report),
  /** The latest admin actions, oldest first. */
  history: z.array(AuditEntry),
  /** The currently possible actions. A sold laptop cannot be taken down. */
  actions: z.array(z.enum(['dismiss', 'takeDown'])),
});
export type ReportedItem = z.infer<typeof ReportedItem>;

const ByLaptop = z.object({ _id: Id });

export const reportLaptop = endpoint({
  method: 'POST',
  path: '/reports',
  access: 'signed-in',
  summary: 'Reports a laptop to the admins, once per person',
  body: NewReport,
  response: Acknowledged,
  refusals: ['not_found'],
  limit: 'reporting',
  idempotencyKey: true,
});

export const listReportedItems = endpoint({
  method: 'GET',
  path: '/reportedItems',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Reported laptops with their reports and history, those with open reports first',
  query: z.extend(Paging, {
    /** Lists this laptop only. */
    laptop: z.optional(Id),
  }),
  response: z.array(ReportedItem),
});

export const dismissReports = endpoint({
  method: 'PUT',
  path: '/reportedItems/:_id/dismiss',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Dismisses all open reports of a laptop; their reporters are notified',
  params: ByLaptop,
  body: z.object({ note: optionalText(1000) }),
  response: Modified,
  refusals: ['not_found'],
});

export const takeDownLaptop = endpoint({
  method: 'PUT',
  path: '/reportedItems/:_id/takeDown',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Takes a reported laptop out of the shop with a note to its seller; unpaid bookings are cancelled',
  params: ByLaptop,
  body: z.object({ note: text(1000, 'Say why, so that the seller understands') }),
  response: Modified,
  refusals: ['not_found', 'already_sold'],
});
