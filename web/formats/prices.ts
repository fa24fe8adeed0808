import { amountFromCents, centsFromAmount } from '#contract/platform/money.ts';

/** The difference between two prices; null when the resale price is not lower. */
export function savedAmount(original: number, resale: number): number | null {
  const from = centsFromAmount(original);
  const to = centsFromAmount(resale);
  return from === null || to === null || from <= to ? null : amountFromCents(from - to);
}
