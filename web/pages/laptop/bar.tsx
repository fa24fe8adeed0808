import type { ReactNode } from 'react';
import { formatDollars } from '#contract/money.ts';
import type { ShownLaptop } from './shown-laptop.ts';

export interface BuyActionsProps {
  laptop: ShownLaptop;
  /** `box` beside the photos, `bar` at the bottom of phones. */
  place: 'box' | 'bar';
}

/** The bar at the bottom of phones: the price and the main action. */
export function Bar({ price, children }: { price: number; children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-10 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t bg-paper px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:-mx-8 md:px-8 lg:hidden">
      <strong className="figures font-bold font-display text-2xl">{formatDollars(price)}</strong>
      {children}
    </div>
  );
}
