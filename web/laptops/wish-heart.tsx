import { Link } from 'react-router';
import { useSession } from '../session/session.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { TileLaptop } from './tile-laptop.ts';
import { wishIntent } from './wish-intent.ts';

const classes =
  'absolute top-1 right-1 z-1 grid size-11 place-items-center rounded-full bg-surface text-accent shadow-card hover:bg-accent-soft max-sm:@3xs:top-4 max-sm:@3xs:size-9';

const HeartOfUser = lazyPart(() =>
  import('./wish-heart-of-user.tsx').then((loaded) => loaded.WishHeartOfUser),
);

/**
 * The heart on the photo of a tile. A visitor is led to the laptop's page, which adds the laptop to the wishlist after the login. What a
 * signed-in user needs is loaded then.
 */
export function WishHeart({ laptop }: { laptop: TileLaptop }) {
  if (useSession().status === 'signed-in') return <HeartOfUser laptop={laptop} className={classes} />;
  return (
    <Link
      to={`${laptop.url}?wish=yes`}
      rel="nofollow"
      aria-label={`Add to Wishlist: ${laptop.name}`}
      onClick={() => wishIntent.set(laptop._id)}
      className={classes}
    >
      <Icon name="heart" />
    </Link>
  );
}
