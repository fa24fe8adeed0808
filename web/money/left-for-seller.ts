import { type Commission, commissionOn } from '#contract/money/commission.ts';
import { centsFromAmount } from '#contract/platform/money.ts';
import type { readShippingEstimates } from '#contract/sales/labels.ts';
import type { Answer } from '../requests/reads.ts';

type Estimates = Answer<typeof readShippingEstimates>;

/**
 * What a seller bears of a label with its insurance, about, in cents.
 * @param screen in inches; undefined for the largest laptops @returns null when carriers do not say
 */
export function estimatedLabelCents(
  priceCents: number,
  { sizes, insurance, borneBy }: Estimates,
  screen?: number,
): number | null {
  const size = sizes.find(({ upTo }) => screen !== undefined && screen <= upTo) ?? sizes.at(-1);
  if (size === undefined) return null;
  if (borneBy === 'shop') return 0;
  return (centsFromAmount(size.price) ?? 0) + Math.ceil((priceCents * insurance) / 100);
}

/** What is left of a price for its seller, in cents; negative when a label costs more. */
export const leftForSeller = (priceCents: number, commission: Commission, labelCents: number): number =>
  priceCents - commissionOn(priceCents, commission) - labelCents;
