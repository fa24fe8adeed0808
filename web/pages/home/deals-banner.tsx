import { Icon } from '../../ui/icon.tsx';

const words = "Today's Great deals. Buy pre-owned laptops at cheapest price.";
const copies = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The scrolling banner. It can be paused, and does not move with reduced motion. */
export function DealsBanner() {
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
