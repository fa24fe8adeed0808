import * as z from 'zod/mini';
import { Id } from '#contract/platform/scalars.ts';

/** The stars that other people gave to a person. */
export const Rating = z.object({
  /** How many reviews are shown. */
  reviews: z.int(),
  /** Their average number of stars, from 1 to 5, with one decimal. */
  average: z.number(),
});
export type Rating = z.infer<typeof Rating>;

/** Beside a seller's name: the page at `/seller/{sellerId}` and the rating. Absent after the account has ended. */
export const ratedSeller = { sellerId: z.optional(Id), sellerRating: z.optional(Rating) };
export type RatedSeller = { sellerId?: string; sellerRating?: Rating };

/** Beside the names of the two people of a sale. */
export const ratedPeople = { ...ratedSeller, buyerRating: z.optional(Rating) };
export type RatedPeople = RatedSeller & { buyerRating?: Rating };
