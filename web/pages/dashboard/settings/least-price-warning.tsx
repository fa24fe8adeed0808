import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import { readShippingEstimates } from '#contract/sales/labels.ts';
import { estimatedLabelCents, leastPriceWarning } from '../../../money/left-for-seller.ts';
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
  const warning = leastPriceWarning(leastPriceCents, commission, labelCents ?? null);
  return (
    warning !== null && (
      <p role="status" className="max-w-prose font-semibold text-danger">
        {warning}
      </p>
    )
  );
}
