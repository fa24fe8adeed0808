import { useState } from 'react';

const words = "Today's Great deals. Buy pre-owned laptops at cheapest price.";
const copies = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The banner that scrolls past; it can be paused, and stands still where less motion is wanted. */
export function DealsBanner() {
  const [paused, setPaused] = useState(false);
  return (
    <div className="flex items-center gap-3 border-line border-y bg-orange-soft py-2.5">
      <div className="min-w-0 flex-1 overflow-hidden">
        <p className="sr-only">{words}</p>
        <p
          aria-hidden="true"
          className={`flex w-max animate-[scroll-past_48s_linear_infinite] font-display font-semibold text-lg motion-reduce:page-width motion-reduce:animate-none ${paused ? '[animation-play-state:paused]' : ''}`}
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
      <button
        type="button"
        onClick={() => setPaused(!paused)}
        aria-label={paused ? 'Let the banner scroll' : 'Pause the banner'}
        className="mr-3 grid size-9 shrink-0 place-items-center rounded-full border border-edge bg-surface hover:bg-sunken motion-reduce:hidden"
      >
        <svg viewBox="0 0 20 20" className="size-4" aria-hidden="true">
          <path d={paused ? 'M6 4l10 6-10 6z' : 'M5 4h3.5v12H5zm6.5 0H15v12h-3.5z'} fill="currentColor" />
        </svg>
      </button>
    </div>
  );
}
