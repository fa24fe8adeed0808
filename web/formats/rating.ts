import type { Rating } from '#contract/people/ratings.ts';

/** A name with its rating, such as `Marta Lind · 4.7/5 (12)`; the name alone before the first review. */
export const ratedName = (name: string, rating: Rating | undefined): string =>
  rating === undefined ? name : `${name} · ${rating.average.toFixed(1)}/5 (${rating.reviews})`;
