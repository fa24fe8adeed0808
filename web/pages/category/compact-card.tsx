import { useRef, useState } from 'react';
import { href, Link, useViewTransitionState } from 'react-router';
import { BookedChip } from '../../bookings/booked-chip.tsx';
import { toLevelMark } from '../../formats/level-mark.ts';
import { Prices } from '../../formats/prices.tsx';
import { ratedName } from '../../formats/rating.ts';
import { ConditionChip } from '../../laptops/condition-chip.tsx';
import { factsLine } from '../../laptops/facts-line.ts';
import { photoTransition } from '../../laptops/laptop-tile.tsx';
import { laptopTitleId } from '../../laptops/laptop-title-id.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { LevelChip } from '../../laptops/level-chip.tsx';
import { VerifiedIcon } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Photo } from '../../ui/photo.tsx';
import { PhotoViewer } from '../../ui/photo-viewer.tsx';
import type { LaptopCardProps } from './laptop-card-props.ts';

function WishlistButton({ laptop, roles, purchase }: Pick<LaptopCardProps, 'laptop' | 'roles' | 'purchase'>) {
  if (roles.status === 'known' && !roles.isBuyer) return null;
  const wished = purchase.isWished(laptop);
  const isDisabled = roles.status !== 'known' || wished || purchase.pendingWishId === laptop._id;
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
      className="absolute top-2 right-2 grid size-11 place-items-center rounded-full bg-surface text-aubergine shadow-card not-aria-disabled:hover:bg-aubergine-soft"
    >
      <Icon
        d="M10 16.5S3 12.4 3 7.6A3.6 3.6 0 0 1 6.7 4c1.5 0 2.6.8 3.3 2 .7-1.2 1.8-2 3.3-2A3.6 3.6 0 0 1 17 7.6c0 4.8-7 8.9-7 8.9z"
        fill={wished ? 'currentColor' : 'none'}
        strokeLinejoin="round"
        className="size-5"
      />
    </button>
  );
}

function CoverPhoto({ laptop, eager }: Pick<LaptopCardProps, 'laptop' | 'eager'>) {
  const { name, image, images, captions } = laptop;
  const cover = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState(0);
  const [viewer, setViewer] = useState<'unused' | 'open' | 'closed'>('unused');
  const several = images.length > 1;
  return (
    <>
      <button
        ref={cover}
        type="button"
        aria-label={
          several ? `Enlarge the ${images.length} photos of ${name}` : `Enlarge the photo of ${name}`
        }
        onClick={() => {
          setShown(0);
          setViewer('open');
        }}
        className="relative block w-full cursor-zoom-in overflow-hidden rounded-t-xl focus-visible:-outline-offset-4"
      >
        <Photo
          url={image}
          alt={`${name}, photographed by its seller`}
          sizes="(width >= 80rem) 18rem, (width >= 64rem) 31vw, 46vw"
          eager={eager}
          className="aspect-[4/3] w-full object-cover"
        />
        {several && (
          <span className="figures absolute bottom-2 left-2 rounded-full bg-surface px-2 py-0.5 font-semibold text-ink text-xs">
            {images.length} photos
          </span>
        )}
      </button>
      {viewer !== 'unused' && (
        <PhotoViewer
          open={viewer === 'open'}
          title={name}
          urls={images}
          captions={captions}
          index={shown}
          onShow={setShown}
          onClose={() => setViewer('closed')}
          finalFocus={() => cover.current}
        />
      )}
    </>
  );
}

/** The compact card of a laptop. */
export function CompactCard({ laptop, eager, roles, purchase, onBook }: LaptopCardProps) {
  const titleId = laptopTitleId(laptop);
  const url = laptopUrl(laptop);
  const facts = factsLine(laptop.facts);
  const isOpening = useViewTransitionState(url);
  return (
    <li className="flex">
      <article
        aria-labelledby={titleId}
        className="relative flex w-full min-w-0 flex-col rounded-xl border border-line bg-surface shadow-card"
      >
        <div style={isOpening ? photoTransition : undefined}>
          <CoverPhoto laptop={laptop} eager={eager} />
        </div>
        <WishlistButton laptop={laptop} roles={roles} purchase={purchase} />
        <div className="flex flex-1 flex-col gap-2 p-3 sm:p-4">
          <div className="max-sm:min-h-[4lh]">
            <h2 id={titleId} tabIndex={-1} className="text-base [overflow-wrap:anywhere] sm:text-lg">
              <Link to={url} prefetch="intent" viewTransition className="hover:underline">
                {laptop.name}
              </Link>
            </h2>
            {facts !== '' && <p className="figures mt-1 text-quiet text-sm">{facts}</p>}
          </div>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet text-sm">
            <ConditionChip condition={laptop.condition} />
            {/* Without the date, which does not fit into a card of a phone. */}
            <LevelChip level={toLevelMark({ level: laptop.level })} />
            <span>used {laptop.use_time}</span>
          </p>
          <Prices original={laptop.original_price} resale={laptop.resale_price} />
          <p className="text-sm [overflow-wrap:anywhere]">
            <Link to={href('/seller/:id', { id: laptop.seller_id })} className="hover:underline">
              {ratedName(laptop.sellers_name, laptop.seller_rating)}
            </Link>
            {laptop.sellerVerified ? (
              <span className="ml-1 inline-flex items-center gap-1 whitespace-nowrap align-middle text-aubergine">
                <VerifiedIcon />
                <span className="sr-only">Verified Seller</span>
              </span>
            ) : (
              <span className="whitespace-nowrap text-quiet"> (Not Verified)</span>
            )}
            <span className="block text-quiet">{laptop.location}</span>
          </p>
          {!(roles.status === 'known' && !roles.isBuyer) && (
            <div className="mt-auto flex flex-col pt-1">
              {purchase.isBooked(laptop) ? (
                <BookedChip laptop={laptop} bookingId={purchase.unpaidBookingId(laptop)} />
              ) : (
                <Button
                  variant="tinted"
                  onClick={onBook}
                  disabled={roles.status !== 'known'}
                  aria-describedby={titleId}
                >
                  Book now
                </Button>
              )}
            </div>
          )}
        </div>
      </article>
    </li>
  );
}
