import { roundDown } from '#contract/platform/money.ts';

/** The rates of the commission on a sale. */
export interface Commission {
  /** Hundredths of a percent of the price. */
  basisPoints: number;
  fixedCents: number;
}

/** The commission on a price, in cents: rounded down, and at most the price. */
export function commissionOn(priceCents: number, { basisPoints, fixedCents }: Commission): number {
  return Math.min(priceCents, roundDown(Math.floor((priceCents * basisPoints) / 10_000)) + fixedCents);
}
