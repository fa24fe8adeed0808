import type { Suggestions } from '#contract/listings/search.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { Photo } from '../ui/photo.tsx';

/** A matching laptop among the suggestions: photo, name and price. */
export function SuggestedLaptop({ laptop }: { laptop: Suggestions['laptops'][number] }) {
  return (
    <>
      <Photo
        url={laptop.image}
        alt=""
        sizes="3rem"
        eager
        className="size-12 shrink-0 rounded-md object-cover"
      />
      <span className="min-w-0 flex-1 truncate">{laptop.name}</span>
      <span className="figures shrink-0 font-semibold">{formatAmount(laptop.resale_price)}</span>
    </>
  );
}
