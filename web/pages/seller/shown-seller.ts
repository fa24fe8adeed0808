import type { PublicReview, PublicSeller } from '#contract/seller-pages.ts';
import { formatSales } from '../../formats/counts.ts';
import { describeSellerChecks } from '../../formats/seller-checks.ts';

const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A review as the page shows it. Made on the server, so that browsers need no formats for it. */
export interface ShownReview {
  _id: string;
  by: string;
  stars: number;
  text: string;
  day: string;
  productName: string;
  answer: { text: string; day: string } | null;
}

const dayOf = (at: string) => day.format(new Date(at));

/** Converts a review for display. */
export const toShownReview = ({
  _id,
  by,
  stars,
  text,
  at,
  productName,
  answer,
}: PublicReview): ShownReview => ({
  _id,
  by: by ?? 'A former account',
  stars,
  text,
  day: dayOf(at),
  productName,
  answer: answer && { text: answer.text, day: dayOf(answer.at) },
});

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** The facts about a seller, in one line each. */
export function sellerFacts({ since, sold, rating, checks }: PublicSeller): string[] {
  const checked = checks === null ? '' : describeSellerChecks(checks);
  return [
    `On Coomercio since ${month.format(new Date(`${since}-01`))}`,
    formatSales(sold),
    rating === undefined
      ? 'No reviews yet'
      : `${rating.average.toFixed(1)} of 5 stars from ${count(rating.reviews, 'review', 'reviews')}`,
    ...(checked === '' ? [] : [checked]),
  ];
}
