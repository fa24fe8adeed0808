import * as z from 'zod/mini';
import { Rating } from '#contract/people/ratings.ts';
import { RecordedDocument, SellerChecks } from '#contract/people/seller-checks.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Email, Id, Modified, optionalLine, Paging, text } from '#contract/platform/scalars.ts';

const ById = z.object({ _id: Id });

export const Buyer = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  /** Whether the email address is verified. */
  emailVerified: z.boolean(),
  /** Present if the account buys and sells, so that it is in both lists. */
  isBoth: z.optional(z.literal(true)),
  /** Of the reviews about the person in the listed role; missing before the first shown one. */
  rating: z.optional(Rating),
});
export type Buyer = z.infer<typeof Buyer>;

/** How many other sellers with the same telephone number are named. */
export const MAXIMUM_SHARED_PHONES = 5;

export const Seller = z.extend(Buyer, {
  /** Whether an admin has verified this seller. */
  status: z.boolean(),
  checks: SellerChecks,
  /** What was recorded of the documents of `checks`; null also for those that were seen before this was recorded. */
  documents: z.object({ address: z.nullable(RecordedDocument), identity: z.nullable(RecordedDocument) }),
  /** The open reports of the seller's laptops. */
  openReports: z.int(),
  /** The telephone number of `checks.phone`; null without one. */
  phone: z.nullable(
    z.object({
      number: z.string(),
      /** The email addresses of other active sellers who have confirmed the same number, at most {@link MAXIMUM_SHARED_PHONES}. */
      alsoOf: z.array(z.string()),
    }),
  ),
});
export type Seller = z.infer<typeof Seller>;

/** Search, order and paging of the lists of users. */
export const PeopleQuery = z.extend(Paging, {
  /** A part of the name or email. */
  search: optionalLine(100),
  sort: z.optional(z.enum(['newest', 'name', 'email'], { error: 'Sort by newest, name or email' })),
});
export type PeopleSort = NonNullable<z.infer<typeof PeopleQuery>['sort']>;

export const listSellers = endpoint({
  method: 'GET',
  path: '/sellers',
  access: ['Admin'],
  rights: ['people'],
  summary: 'All sellers with active accounts; searchable by name or email, sorted, paged',
  query: PeopleQuery,
  response: z.array(Seller),
});

export const verifySeller = endpoint({
  method: 'PUT',
  path: '/sellers/:email',
  access: ['Admin'],
  rights: ['people'],
  summary: 'Marks a seller as verified',
  params: z.object({ email: Email }),
  query: z.object({
    /** The seller's name as the admin saw it. The call is refused when the seller has another one by now. */
    name: optionalLine(100),
  }),
  response: Modified,
  refusals: ['not_found', 'changed_elsewhere'],
});

/** A new name of a seller of whom the shop has checked something. */
export const WaitingName = z.object({
  _id: Id,
  sellerId: Id,
  email: z.string(),
  /** The present name, which was checked. */
  name: z.string(),
  newName: z.string(),
  status: z.boolean(),
  checks: SellerChecks,
  /** ISO 8601 in UTC. */
  at: z.string(),
});
export type WaitingName = z.infer<typeof WaitingName>;

export const listWaitingNames = endpoint({
  method: 'GET',
  path: '/waitingNames',
  access: ['Admin'],
  rights: ['people'],
  summary: 'New names of sellers that wait for an admin, newest first, paged',
  query: Paging,
  response: z.array(WaitingName),
});

export const approveName = endpoint({
  method: 'PUT',
  path: '/waitingNames/:_id/approve',
  access: ['Admin'],
  rights: ['people'],
  summary: 'Gives a seller the new name; what was checked of the seller stays',
  params: ById,
  response: Modified,
  refusals: ['changed_elsewhere'],
  changes: ['sellers'],
});

/** Why a new name is refused, for the seller and the audit trail. */
export const NameRefusal = z.object({ reason: text(1000, 'Say why, so that the seller understands') });

export const refuseName = endpoint({
  method: 'PUT',
  path: '/waitingNames/:_id/refuse',
  access: ['Admin'],
  rights: ['people'],
  summary: 'Refuses a new name of a seller, with a reason for the seller, whose name stays',
  params: ById,
  body: NameRefusal,
  response: Modified,
  refusals: ['changed_elsewhere'],
  changes: ['sellers'],
});

/** The result of ending an account. */
const Ended = z.extend(Deleted, {
  /** What becomes of its orders that can still be complained about, in sentences; absent without such orders. */
  message: z.optional(z.string()),
});

export const deleteSeller = endpoint({
  method: 'DELETE',
  path: '/sellers/:_id',
  access: ['Admin'],
  rights: ['people'],
  summary: 'Ends a seller’s account immediately; paid sales stay on record',
  params: ById,
  response: Ended,
  // The other list may have the same person.
  changes: ['buyers'],
  refusals: ['not_found'],
});

export const listBuyers = endpoint({
  method: 'GET',
  path: '/buyers',
  access: ['Admin'],
  rights: ['people'],
  summary: 'All buyers with active accounts; searchable by name or email, sorted, paged',
  query: PeopleQuery,
  response: z.array(Buyer),
});

export const deleteBuyer = endpoint({
  method: 'DELETE',
  path: '/buyers/:_id',
  access: ['Admin'],
  rights: ['people'],
  summary: 'Ends a buyer’s account immediately; paid sales stay on record',
  params: ById,
  response: Ended,
  // The other list may have the same person.
  changes: ['sellers'],
  refusals: ['not_found'],
});
