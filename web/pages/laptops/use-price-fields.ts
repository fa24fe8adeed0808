import { useState } from 'react';
import { currency } from '#contract/platform/money.ts';
import { formatCount } from '../../formats/counts.ts';
import { readAmount } from '../../forms/typed-amount.ts';
import { withValues } from './search-url.ts';
import type { SearchState } from './use-search-state.ts';

export interface PriceFields {
  low: string;
  high: string;
  /** What typed bounds mean that are not written as whole units, such as `From = $500`; '' for none. */
  understood: string;
  /** Whether a field is not an amount. */
  isInvalid: boolean;
  type: (change: { low?: string; high?: string }) => void;
  /** Shows the results within the typed bounds, or marks the fields as invalid. */
  apply: () => void;
}

/** Parses whole units as they are typed, and drops cents. @returns '' for no bound, null if it is something else */
export function parseBound(text: string): string | null {
  const digits = text.trim() === '' ? '' : readAmount(text)?.replace(/\..*/, '');
  return digits === undefined || digits.length > 7 ? null : digits.replace(/^0+/, '');
}

/** How a bound is read, such as `From = $500`; null when it is written so already, or is no amount. */
export function understoodBound(label: string, typed: string): string | null {
  const bound = parseBound(typed);
  return !bound || /^\d*$/.test(typed.trim())
    ? null
    : `${label} = ${currency.sign}${formatCount(Number(bound))}`;
}

/** The typed bounds of the price. They follow the URL when it changes. */
export function usePriceFields({ parameters, show }: SearchState): PriceFields {
  const applied = { low: parameters.get('min_price') ?? '', high: parameters.get('max_price') ?? '' };
  const [last, setLast] = useState(applied);
  const [typed, setTyped] = useState(applied);
  const [isInvalid, setIsInvalid] = useState(false);
  if (last.low !== applied.low || last.high !== applied.high) {
    setLast(applied);
    setTyped(applied);
    setIsInvalid(false);
  }
  return {
    ...typed,
    // The applied bounds are of the URL, which the server has read.
    understood: [
      typed.low === applied.low ? null : understoodBound('From', typed.low),
      typed.high === applied.high ? null : understoodBound('To', typed.high),
    ]
      .filter((bound) => bound !== null)
      .join(', '),
    isInvalid,
    type: (change) => setTyped({ ...typed, ...change }),
    apply: () => {
      const low = parseBound(typed.low);
      const high = parseBound(typed.high);
      setIsInvalid(low === null || high === null);
      if (low === null || high === null) return;
      setTyped({ low, high });
      if (low === applied.low && high === applied.high) return;
      show(withValues(parameters, { min_price: low, max_price: high }));
    },
  };
}
