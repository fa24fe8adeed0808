import { useRevalidator } from 'react-router';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import type { TileLaptop } from '../../laptops/tile-laptop.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorState } from '../../ui/states.tsx';

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

/** The advertised laptops; nothing when there are none. @param props.laptops null when loading failed */
export function Advertised({ laptops }: { laptops: TileLaptop[] | null }) {
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
            <li key={laptop._id} className="flex snap-start max-sm:w-[78vw] max-sm:shrink-0">
              <LaptopTile laptop={laptop}>
                <div className="px-2 pb-2 sm:pt-3">
                  <LinkButton to={`${laptop.url}?book=yes`} rel="nofollow" variant="tinted" size="small">
                    Buy Now<span className="sr-only">: {laptop.name}</span>
                  </LinkButton>
                </div>
              </LaptopTile>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
