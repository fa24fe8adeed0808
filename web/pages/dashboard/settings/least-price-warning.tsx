import { formatCents } from '#contract/platform/money.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import { readShippingEstimates } from '#contract/sales/labels.ts';
import { estimatedLabelCents, leftForSeller } from '../../../money/left-for-seller.ts';
import { useRead } from '../../../requests/reads.ts';
import { useSettings } from '../../../session/session.tsx';

/** Warns that the typed commission, with a label that the seller bears, takes the whole of the typed least price. */
export function LeastPriceWarning({
  leastPriceCents,
  commission,
  shippingBorneBy: borneBy,
}: Pick<ShopSettings, 'leastPriceCents' | 'commission' | 'shippingBorneBy'>) {
  const [country = ''] = useSettings().shippingCountries;
  const estimates = useRead(readShippingEstimates, { query: { country } }).data;
  const labelCents = estimates && estimatedLabelCents(leastPriceCents, { ...estimates, borneBy });
  const isLeft = leftForSeller(leastPriceCents, commission, labelCents ?? 0) > 0;
  // Of what is no amount, nothing is known.
  if (isLeft || !Number.isFinite(leastPriceCents + commission.basisPoints + commission.fixedCents))
    return null;
  return (
    <p role="status" className="max-w-prose font-semibold text-danger">
      A laptop at the least price of {formatCents(leastPriceCents)} brings its seller nothing: the commission
      {labelCents ? ` and a label of about ${formatCents(labelCents)} take` : ' takes'} all of it. Sellers see
      this before they list it, and the shop sells no label that costs more than is left.
    </p>
  );
}
