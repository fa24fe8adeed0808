import type { ReactNode } from 'react';
import { Link, useViewTransitionState } from 'react-router';
import { formatAmount } from '#contract/platform/money.ts';
import { savedAmount } from '../formats/prices.ts';
import { VerifiedIcon } from '../ui/badge.tsx';
import { Photo } from '../ui/photo.tsx';
import { ConditionChip, LevelChip, ShipsFreeChip } from './chips.tsx';
import type { TileLaptop } from './tile-laptop.ts';
import { WishHeart } from './wish-heart.tsx';

/** The name under which the view transition moves a laptop's photo between a list and the laptop's page. */
export const photoTransition = { viewTransitionName: 'laptop-photo' } as const;

function TilePrices({ laptop }: { laptop: TileLaptop }) {
  const saved = savedAmount(laptop.original_price, laptop.resale_price);
  return (
    <p className="figures flex flex-wrap items-baseline gap-x-2">
      <span className="sr-only">Resale price </span>
      <strong className="font-bold font-display text-xl">{formatAmount(laptop.resale_price)}</strong>
      <span className="sr-only">, original price </span>
      <s className="text-muted text-sm">{formatAmount(laptop.original_price)}</s>
      {saved !== null && (
        <span className="basis-full text-success text-sm">You save {formatAmount(saved)}</span>
      )}
    </p>
  );
}

interface LaptopTileProps {
  laptop: TileLaptop;
  /** Whether the photo is loaded at once. */
  eager?: boolean;
  /** False on a laptop's own page, whose photo has the name of the view transition. */
  movesPhoto?: boolean;
  /** False for the seller's preview, which is no link. */
  isForSale?: boolean;
  /** Controls below the link, such as a toggle. */
  children?: ReactNode;
}

/** A laptop in a list: one link to its page, the heart that adds it to the wishlist, and the chips of its condition and its level. A row with the photo left on phones, a card above and with large text. */
export function LaptopTile(props: LaptopTileProps) {
  const { laptop, eager = false, movesPhoto = true, isForSale = true, children } = props;
  const { url, facts } = laptop;
  const isOpening = useViewTransitionState(url);
  return (
    <article className="@container group relative grid w-full overflow-hidden rounded-xl border border-border bg-surface focus-within:border-accent hover:border-border-strong">
      <div className="tile-layout">
        <div
          className="relative max-sm:@3xs:p-3 max-sm:@3xs:pr-0"
          style={isOpening && movesPhoto ? photoTransition : undefined}
        >
          <Photo
            url={laptop.image}
            alt=""
            sizes="(width >= 80rem) 19rem, (width >= 40rem) 45vw, 9rem"
            eager={eager}
            hasLowPriority
            className="aspect-[4/3] w-full object-cover max-sm:@3xs:rounded-lg"
          />
          {isForSale && <WishHeart laptop={laptop} />}
        </div>
        <div className="row-span-2 flex min-w-0 flex-1 flex-col gap-2 p-3 sm:p-4">
          <div>
            <h3 className="font-semibold text-base leading-snug sm:text-lg">
              <Link to={url} viewTransition className="tile-link group-hover:underline">
                {laptop.name}
              </Link>
            </h3>
            {facts !== '' && <p className="figures mt-1 text-muted text-sm">{facts}</p>}
          </div>
          <TilePrices laptop={laptop} />
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <ConditionChip condition={laptop.condition} />
            <LevelChip level={laptop.level} />
            <ShipsFreeChip laptop={laptop} />
          </div>
          <p className="mt-auto text-muted text-sm [overflow-wrap:anywhere]">
            {laptop.sellers_name}, {laptop.location}
            {laptop.sellerVerified && (
              <span className="ml-1 inline-block align-[-0.15em] text-accent">
                <VerifiedIcon />
                <span className="sr-only">Verified seller</span>
              </span>
            )}
          </p>
        </div>
        {children !== undefined && (
          <div className="relative z-1 col-start-1 row-start-2 self-start px-1 pb-1 sm:-mt-3 sm:px-2 sm:pb-2">
            {children}
          </div>
        )}
      </div>
    </article>
  );
}
