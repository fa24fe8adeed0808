import * as z from 'zod/mini';

/** The stars that other people gave to a person. */
export const Rating = z.object({
  /** How many reviews are shown. */
  reviews: z.int(),
  /** Their average number of stars, from 1 to 5, with one decimal. */
  average: z.number(),
});
export type Rating = z.infer<typeof Rating>;
