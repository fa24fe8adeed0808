import type { PublicReview, PublicSeller } from '#contract/sales/seller-pages.ts';
import { formatSales } from '../../formats/counts.ts';
import { describeSellerChecks } from '../../formats/seller-checks.ts';
import { utcDay, utcMonth } from '../../formats/utc-dates.ts';

/** A review as the page shows it. Made on the server, so that browsers need no formats for it. */
export interface ShownReview extends Omit<PublicReview, 'by' | 'at' | 'answer'> {
  by: string;
  day: string;
  answer: { text: string; day: string } | null;
}

/** Converts a review for display. */
export const toShownReview = ({ by, at, answer, ...review }: PublicReview): ShownReview => ({
  ...review,
  by: by ?? 'A former account',
  day: utcDay(at),
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
