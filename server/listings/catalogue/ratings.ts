import type { RatedPeople, RatedSeller, Rating } from '#contract/people/ratings.ts';

/** A person's rating from the sums of their reviews, which are null without any; null without a shown review. */
export const ratingOf = (reviews: number | null, stars: number | null): Rating | null =>
  reviews === null || stars === null || reviews === 0
    ? null
    : { reviews, average: Math.round((10 * stars) / reviews) / 10 };

/** A row joined with the seller's account and sums, which are null without any. */
export interface SellerRatingColumns {
  seller_id: string;
  seller_ended_at: Date | null;
  seller_reviews: number | null;
  seller_stars: number | null;
}

/** A row joined with the sums of both people of a sale. */
export interface RatingColumns extends SellerRatingColumns {
  buyer_reviews: number | null;
  buyer_stars: number | null;
}

/** The page and the rating of a seller, for a response; nothing of an account that has ended. */
export function ratedSeller(row: SellerRatingColumns): RatedSeller {
  if (row.seller_ended_at !== null) return {};
  const rating = ratingOf(row.seller_reviews, row.seller_stars);
  return { sellerId: row.seller_id, ...(rating !== null && { sellerRating: rating }) };
}

/** The ratings of both people of a sale, for a response. */
export function ratedPeople(row: RatingColumns): RatedPeople {
  const rating = ratingOf(row.buyer_reviews, row.buyer_stars);
  return { ...ratedSeller(row), ...(rating !== null && { buyerRating: rating }) };
}
