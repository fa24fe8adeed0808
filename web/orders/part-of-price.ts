import { centsFromDollars, centsFromText } from '#contract/money.ts';
import { formatDollars } from '#contract/scalars.ts';

/**
 * What is wrong with a typed part of an order's price.
 * @param text dollars, such as 100 or 100.50
 * @param price the order's price in dollars
 * @returns a sentence for the field; null when it is more than nothing and less than the price
 */
export function partOfPriceError(text: string, price: number): string | null {
  const cents = centsFromText(text.trim());
  if (cents === null) return 'An amount is in dollars and cents, such as 49.99';
  if (cents === 0) return 'Name an amount of more than $0';
  if (cents >= (centsFromDollars(price) ?? 0))
    return `A part is less than the price of ${formatDollars(price)}`;
  return null;
}
