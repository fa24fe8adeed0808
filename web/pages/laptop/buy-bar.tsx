import type { ReactNode } from 'react';
import { formatAmount } from '#contract/platform/money.ts';

interface BuyBarProps {
  /** In the shop’s currency. */
  price: number;
  /** The main action. */
  children: ReactNode;
}

/** The main action: beside the others on wide screens, in a bar with the price at the bottom of narrow ones. */
export function BuyBar({ price, children }: BuyBarProps) {
  return (
    <div className="buy-bar bottom-bar">
      <strong className="figures font-bold font-display text-2xl lg:hidden">{formatAmount(price)}</strong>
      {children}
    </div>
  );
}

/** The classes of the control in a {@link BuyBar}. */
export const buyButton = 'min-w-36 whitespace-nowrap lg:flex-1';
