import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Rating } from './ratings.ts';
import { Deleted, Email, Id, Modified, optionalLine, Paging } from './scalars.ts';
import { SellerChecks } from './seller-checks.ts';

const ById = z.object({ _id: Id });

export const Buyer = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  /** Whether the e-mail address is verified. */
  emailVerified: z.boolean(),
  /** Missing before the first shown review. */
  rating: z.optional(Rating),
});
export type Buyer = z.infer<typeof Buyer>;

/** How many other sellers with the same telephone number are named. */
export const MAXIMUM_SHARED_PHONES = 5;

export const Seller = z.extend(Buyer, {
  /** Whether an admin has verified this seller. */
  status: z.boolean(),
  checks: SellerChecks,
  /** The telephone number of `checks.phone`; null without one. */
  phone: z.nullable(
    z.object({
      number: z.string(),
      /** The e-mail addresses of other active sellers who have confirmed the same number, at most {@link MAXIMUM_SHARED_PHONES}. */
      alsoOf: z.array(z.string()),
    }),
  ),
});
export type Seller = z.infer<typeof Seller>;

/** Search, order and paging of the lists of users. */
export const PeopleQuery = z.extend(Paging, {
  /** A part of the name or e-mail. */
  search: optionalLine(100),
  sort: z.optional(z.enum(['newest', 'name', 'email'], { error: 'Sort by newest, name or email' })),
});
export type PeopleSort = NonNullable<z.infer<typeof PeopleQuery>['sort']>;

export const listSellers = endpoint({
  method: 'GET',
  path: '/sellers',
  access: ['Admin'],
  summary: 'All sellers with active accounts; searchable by name or e-mail, sorted, paged',
  query: PeopleQuery,
  answer: z.array(Seller),
});

export const verifySeller = endpoint({
  method: 'PUT',
  path: '/sellers/:email',
  access: ['Admin'],
  summary: 'Marks a seller as verified',
  params: z.object({ email: Email }),
  answer: Modified,
  refusals: ['not_found'],
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
  summary: 'Ends a seller’s account immediately; paid sales stay on record',
  params: ById,
  answer: Ended,
  refusals: ['not_found'],
});

export const listBuyers = endpoint({
  method: 'GET',
  path: '/buyers',
  access: ['Admin'],
  summary: 'All buyers with active accounts; searchable by name or e-mail, sorted, paged',
  query: PeopleQuery,
  answer: z.array(Buyer),
});

export const deleteBuyer = endpoint({
  method: 'DELETE',
  path: '/buyers/:_id',
  access: ['Admin'],
  summary: 'Ends a buyer’s account immediately; paid sales stay on record',
  params: ById,
  answer: Ended,
  refusals: ['not_found'],
});
