import type { ReactNode } from 'react';
import { formatDollars } from '#contract/platform/money.ts';
import type { ShownLaptop } from './shown-laptop.ts';

export interface BuyActionsProps {
  laptop: ShownLaptop;
  /** `box` beside the photos, `bar` at the bottom of phones. */
  place: 'box' | 'bar';
}

/** The bar at the bottom of phones: the price and the main action. */
export function Bar({ price, children }: { price: number; children: ReactNode }) {
  return (
    <div className="buy-bar">
      <strong className="figures font-bold font-display text-2xl">{formatDollars(price)}</strong>
      {children}
    </div>
  );
}
