import type { DeliveryOffer } from '#contract/listings/laptop-schemas.ts';
import { Badge } from '../ui/badge.tsx';

/** Says that a laptop is sent for free; nothing for one that is only handed over when both meet. */
export function ShipsFreeChip({ laptop: { delivery } }: { laptop: { delivery: DeliveryOffer } }) {
  return delivery === 'meet' ? null : <Badge tone="good">Ships free</Badge>;
}
