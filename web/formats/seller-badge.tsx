import { Badge, VerifiedIcon } from '../ui/badge.tsx';

/** Whether the shop has verified a seller. */
export function SellerBadge({ verified }: { verified: boolean }) {
  if (!verified) return <Badge>Not Verified</Badge>;
  return (
    <Badge tone="trust">
      <VerifiedIcon /> Verified Seller
    </Badge>
  );
}
