import type { PublicReview, PublicSeller } from '#contract/sales/seller-pages.ts';
import { formatSales } from '../../formats/counts.ts';
import { describeSellerChecks } from '../../formats/seller-checks.ts';
import { utcDay, utcMonth } from '../../formats/utc-dates.ts';

/** A review as the page shows it. Made on the server, so that browsers need no formats for it. */
export interface ShownReview {
  _id: string;
  by: string;
  stars: number;
  counts: boolean;
  text: string;
  day: string;
  productName: string;
  answer: { text: string; day: string } | null;
}

/** Converts a review for display. */
export const toShownReview = ({
  _id,
  by,
  stars,
  counts,
  text,
  at,
  productName,
  answer,
}: PublicReview): ShownReview => ({
  _id,
  by: by ?? 'A former account',
  stars,
  counts,
  text,
  day: utcDay(at),
  productName,
  answer: answer && { text: answer.text, day: utcDay(answer.at) },
});

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** The facts about a seller, in one line each. @param shopName the shop's name */
export function sellerFacts({ since, sold, rating, checks }: PublicSeller, shopName: string): string[] {
  const checked = checks === null ? '' : describeSellerChecks(checks);
  return [
    `On ${shopName} since ${utcMonth(since)}`,
    formatSales(sold),
    rating === undefined
      ? 'No rating yet'
      : `${rating.average.toFixed(1)} of 5 stars from ${count(rating.reviews, 'review', 'reviews')}`,
    ...(checked === '' ? [] : [checked]),
  ];
}
