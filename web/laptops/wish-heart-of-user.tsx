import { usePurchase } from '../bookings/use-purchase.ts';
import { useRoles } from '../session/roles.ts';
import { Icon } from '../ui/icon.tsx';
import type { TileLaptop } from './tile-laptop.ts';

interface WishHeartProps {
  laptop: TileLaptop;
  /** The classes of the button. */
  className: string;
}

/** Adds a laptop of somebody else to a buyer's wishlist; nothing for other roles. */
export function WishHeartOfUser({ laptop, className }: WishHeartProps) {
  const roles = useRoles();
  const purchase = usePurchase(roles);
  if (roles.status !== 'known' || !roles.isBuyer || purchase.isOwn(laptop)) return null;
  const wished = purchase.isWished(laptop);
  const isDisabled = wished || purchase.pendingWishId === laptop._id;
  return (
    <button
      type="button"
      aria-label={`Add to Wishlist: ${laptop.name}`}
      title={wished ? 'It is on your wishlist' : 'Add to Wishlist'}
      aria-pressed={wished}
      aria-busy={purchase.pendingWishId === laptop._id || undefined}
      // Keeps the focus of the keyboard.
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? undefined : () => purchase.wish(laptop)}
      className={className}
    >
      <Icon name="heart" fill={wished ? 'currentColor' : 'none'} />
    </button>
  );
}
