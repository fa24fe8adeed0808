import * as z from 'zod/mini';
import { FoundLaptop } from '#contract/listings/search.ts';
import { Rating } from '#contract/people/ratings.ts';
import { SellerChecks } from '#contract/people/seller-checks.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Paging } from '#contract/platform/scalars.ts';
import { writtenReview } from './reviews.ts';

const BySeller = z.object({ sellerId: Id });

/** A seller, for everybody: without contact data. */
export const PublicSeller = z.object({
  _id: Id,
  name: z.string(),
  /** When the seller registered: year and month, such as 2026-11. */
  since: z.string(),
  verified: z.boolean(),
  /** What the shop has checked of a verified seller; null of others. */
  checks: z.nullable(SellerChecks),
  /** Sales that stand: handed over, and neither given back nor disputed with a bank. */
  sold: z.int(),
  /** Of the shown reviews that count. Missing without any. */
  rating: z.optional(Rating),
});
export type PublicSeller = z.infer<typeof PublicSeller>;

/** A shown review about a seller, for everybody. */
export const PublicReview = z.object({
  ...writtenReview,
  /** The buyer's first name and initial; null after that account has ended. */
  by: z.nullable(z.string()),
  productName: z.string(),
});
export type PublicReview = z.infer<typeof PublicReview>;

export const readSeller = endpoint({
  method: 'GET',
  path: '/seller/:sellerId',
  access: 'public',
  summary: 'A seller: since when, verified, number of sales, rating',
  params: BySeller,
  response: PublicSeller,
  refusals: ['not_found', 'seller_left'],
});

export const listReviewsOfSeller = endpoint({
  method: 'GET',
  path: '/seller/:sellerId/reviews',
  access: 'public',
  summary: 'The shown reviews about a seller, the newest first',
  params: BySeller,
  query: Paging,
  response: z.array(PublicReview),
  refusals: ['not_found', 'seller_left'],
});

export const listLaptopsOfSeller = endpoint({
  method: 'GET',
  path: '/seller/:sellerId/laptops',
  access: 'public',
  summary: 'The laptops that a seller has for sale, the newest first',
  params: BySeller,
  query: Paging,
  response: z.array(FoundLaptop),
  refusals: ['not_found', 'seller_left'],
});
