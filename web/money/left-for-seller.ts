import { type Commission, commissionOn } from '#contract/money/commission.ts';
import { centsFromAmount, formatCents, roundUp } from '#contract/platform/money.ts';
import type { readShippingEstimates } from '#contract/sales/labels.ts';
import type { ResponseOf } from '../requests/reads.ts';

type Estimates = ResponseOf<typeof readShippingEstimates>;

/**
 * What a seller bears of a label with its insurance, about, in cents.
 * @param screen in inches; undefined for the largest laptops @returns null when carriers do not say
 */
export function estimatedLabelCents(
  priceCents: number,
  { sizes, insurance, leastInsurance, borneBy }: Estimates,
  screen?: number,
): number | null {
  const size = sizes.find(({ upTo }) => screen !== undefined && screen <= upTo) ?? sizes.at(-1);
  if (size === undefined) return null;
  if (borneBy === 'shop') return 0;
  const premiumCents = Math.max(centsFromAmount(leastInsurance) ?? 0, (priceCents * insurance) / 100);
  return (centsFromAmount(size.price) ?? 0) + roundUp(premiumCents);
}

/** What is left of a price for its seller, in cents; negative when a label costs more. */
const leftForSeller = (priceCents: number, commission: Commission, labelCents: number | null): number =>
  priceCents - commissionOn(priceCents, commission) - (labelCents ?? 0);

/**
 * What a price leaves its seller, in a sentence; null when nothing is known to be taken from it.
 * @param labelCents what a label costs the seller, about; null for none
 * @param mayMeet whether the buyer may take it without a parcel
 */
export function leftSentence(
  priceCents: number,
  commission: Commission,
  labelCents: number | null,
  mayMeet: boolean,
): { text: string; isLeft: boolean } | null {
  const commissionCents = commissionOn(priceCents, commission);
  const costs = [
    ...(commissionCents > 0 ? [`the shop keeps ${formatCents(commissionCents)}`] : []),
    ...(labelCents ? [`a label of the shop with its insurance costs about ${formatCents(labelCents)}`] : []),
  ].join(', and ');
  if (costs === '') return null;
  const leftCents = leftForSeller(priceCents, commission, labelCents);
  const price = formatCents(priceCents);
  if (leftCents > 0) {
    return {
      text: `Of ${price} you get ${labelCents ? 'about ' : ''}${formatCents(leftCents)}: ${costs}.`,
      isLeft: true,
    };
  }
  const whenMet = mayMeet ? leftForSeller(priceCents, commission, null) : 0;
  return whenMet > 0
    ? {
        text: `Of ${price} you get ${formatCents(whenMet)} when you meet. When you send it, nothing is left: ${costs}.`,
        isLeft: true,
      }
    : { text: `Of ${price} nothing is left for you: ${costs}. Please ask for more.`, isLeft: false };
}

/** Warns that a commission and a label, as in {@link leftSentence}, take the whole of the least price; null when something is left. */
export function leastPriceWarning(
  leastPriceCents: number,
  commission: Commission,
  labelCents: number | null,
): string | null {
  // Of what is no amount, nothing is known.
  if (!(leftForSeller(leastPriceCents, commission, labelCents) <= 0)) return null;
  const costs = [
    ...(commissionOn(leastPriceCents, commission) > 0 ? ['the commission'] : []),
    ...(labelCents ? [`a label of about ${formatCents(labelCents)}`] : []),
  ];
  return `A laptop at the least price of ${formatCents(leastPriceCents)}${labelCents ? ', sent with a label of the shop,' : ''} brings its seller nothing: ${costs.join(' and ')} ${costs.length > 1 ? 'take' : 'takes'} all of it. Sellers see this before they list it, and the shop sells no label that costs more than is left.`;
}
