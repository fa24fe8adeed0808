import { type DeliveryOffer, isShipped } from '#contract/listings/laptop-schemas.ts';
import { Badge } from '../ui/badge.tsx';

/** Says that a laptop is sent for free; nothing for one that is only handed over when both meet. */
export function ShipsFreeChip({ laptop: { delivery } }: { laptop: { delivery: DeliveryOffer } }) {
  return isShipped(delivery) ? <Badge tone="good">Ships free</Badge> : null;
}
