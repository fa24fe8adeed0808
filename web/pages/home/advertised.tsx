import { href, Link, useRevalidator } from 'react-router';
import { Prices } from '../../formats/prices.tsx';
import { ConditionChip } from '../../laptops/condition-chip.tsx';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { LevelChip } from '../../laptops/level-chip.tsx';
import { ShipsFreeChip } from '../../laptops/ships-free-chip.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Photo } from '../../ui/photo.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { AdvertisedLaptop } from './advertised-laptop.ts';

const words = "Today's Great deals. Buy pre-owned laptops at cheapest price.";
const copies = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The scrolling banner. It can be paused, and does not move with reduced motion. */
function DealsBanner() {
  return (
    <div className="group flex items-center gap-3 border-border border-y bg-primary-soft py-2.5">
      <div className="min-w-0 flex-1 overflow-hidden">
        <p className="sr-only">{words}</p>
        <p
          aria-hidden="true"
          className="flex w-max animate-[scroll-past_48s_linear_infinite] font-display font-semibold text-lg motion-reduce:page-width motion-reduce:animate-none group-has-checked:[animation-play-state:paused]"
        >
          {copies.map((copy, index) => (
            <span
              key={copy}
              className={`shrink-0 px-8 motion-reduce:shrink motion-reduce:px-0 ${index > 0 ? 'motion-reduce:hidden' : ''}`}
            >
              {words}
            </span>
          ))}
        </p>
      </div>
      {/* A checkbox, so that pausing works before hydration. */}
      <label className="relative mr-3 grid size-9 shrink-0 place-items-center rounded-full border border-border-strong bg-surface hover:bg-subtle has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 motion-reduce:hidden">
        <input
          type="checkbox"
          aria-label="Pause the banner"
          autoComplete="off"
          className="absolute inset-0 cursor-pointer opacity-0"
        />
        <Icon name="pause" fill="currentColor" className="size-4 group-has-checked:hidden" />
        <Icon name="play" fill="currentColor" className="hidden size-4 group-has-checked:inline" />
      </label>
    </div>
  );
}

function AdvertisedCard({ laptop }: { laptop: AdvertisedLaptop }) {
  return (
    <li className="relative flex snap-start flex-col overflow-hidden rounded-2xl border border-border bg-surface hover:border-border-strong max-sm:w-[78vw] max-sm:shrink-0">
      <Photo
        url={laptop.image}
        alt=""
        sizes="(width >= 80rem) 18rem, (width >= 64rem) 30vw, (width >= 40rem) 45vw, 78vw"
        className="aspect-[4/3] w-full object-cover"
      />
      <div className="flex flex-1 flex-col gap-3 p-5">
        <div>
          <h3 className="text-lg">
            {/* Its area covers the card. */}
            <Link
              to={laptopUrl(laptop)}
              prefetch="intent"
              className="after:absolute after:inset-0 after:rounded-2xl"
            >
              {laptop.name}
            </Link>
          </h3>
          {laptop.facts !== '' && <p className="figures mt-1 text-muted text-sm">{laptop.facts}</p>}
        </div>
        <p className="flex flex-wrap items-center gap-2">
          <ConditionChip condition={laptop.condition} />
          <LevelChip level={laptop.level} />
          <ShipsFreeChip laptop={laptop} />
        </p>
        <Prices original={laptop.original_price} resale={laptop.resale_price} />
        <LinkButton
          variant="tinted"
          to={`${href('/category/:id', { id: laptop.category_Id })}?book=${laptop._id}`}
          className="relative mt-auto w-full"
        >
          Buy Now<span className="sr-only">: {laptop.name}</span>
        </LinkButton>
      </div>
    </li>
  );
}

/** The advertised laptops; nothing when there are none. @param props.laptops null when loading failed */
export function Advertised({ laptops }: { laptops: AdvertisedLaptop[] | null }) {
  const { revalidate, state } = useRevalidator();
  if (laptops === null) {
    return (
      <section className="page-width py-8">
        <ErrorState
          title="Advertise Laptops"
          message="The advertised laptops could not be loaded."
          onRetry={() => void revalidate()}
          retrying={state === 'loading'}
        />
      </section>
    );
  }
  if (laptops.length === 0) return null;
  return (
    <section aria-labelledby="advertised" className="pt-4">
      <DealsBanner />
      <div className="page-width pt-10">
        <h2 id="advertised" className="text-3xl sm:text-4xl">
          Advertise Laptops
        </h2>
        {/* A row that scrolls on phones. */}
        <ul className="-mx-4 mt-6 flex snap-x snap-mandatory scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 sm:mx-0 sm:grid sm:grid-cols-2 sm:gap-5 sm:overflow-visible sm:px-0 lg:grid-cols-3 xl:grid-cols-4">
          {laptops.map((laptop) => (
            <AdvertisedCard key={laptop._id} laptop={laptop} />
          ))}
        </ul>
      </div>
    </section>
  );
}
