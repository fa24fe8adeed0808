const words = "Today's Great deals. Buy pre-owned laptops at cheapest price.";
const copies = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The scrolling banner. It can be paused, and does not move with reduced motion. */
export function DealsBanner() {
  return (
    <div className="group flex items-center gap-3 border-line border-y bg-orange-soft py-2.5">
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
      <label className="relative mr-3 grid size-9 shrink-0 place-items-center rounded-full border border-edge bg-surface hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-aubergine has-focus-visible:outline-offset-2 motion-reduce:hidden">
        <input
          type="checkbox"
          aria-label="Pause the banner"
          autoComplete="off"
          className="absolute inset-0 cursor-pointer opacity-0"
        />
        <svg viewBox="0 0 20 20" className="size-4" aria-hidden="true">
          <path
            d="M5 4h3.5v12H5zm6.5 0H15v12h-3.5z"
            fill="currentColor"
            className="group-has-checked:hidden"
          />
          <path d="M6 4l10 6-10 6z" fill="currentColor" className="hidden group-has-checked:inline" />
        </svg>
      </label>
    </div>
  );
}
