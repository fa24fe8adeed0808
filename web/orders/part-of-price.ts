import {
  amountHint,
  centsFromDollars,
  centsFromText,
  currency,
  dollarsFromCents,
} from '#contract/platform/money.ts';
import { formatDollars } from '#contract/platform/scalars.ts';
import type { Order } from '#contract/sales/orders.ts';
import { amountOrText } from '../forms/typed-amount.ts';

/**
 * What is wrong with a typed part of an order's price.
 * @param text an amount as it is typed, such as 100 or 100.50
 * @param price the order's price in dollars
 * @returns a sentence for the field; null when it is more than nothing and less than the price
 */
export function partOfPriceError(text: string, price: number): string | null {
  const cents = centsFromText(amountOrText(text));
  if (cents === null) return `An amount is ${amountHint()}`;
  if (cents === 0) return `Name an amount of more than ${currency.sign}0`;
  if (cents >= (centsFromDollars(price) ?? 0))
    return `A part is less than the price of ${formatDollars(price)}`;
  return null;
}

/** What of an order's price has not gone back to the buyer, in dollars. */
export function leftOfPrice({
  price,
  refunded,
  goodwill,
}: Pick<Order, 'price' | 'refunded' | 'goodwill'>): number {
  const [priceCents = 0, ...backCents] = [price, refunded, goodwill].map(
    (dollars) => centsFromDollars(dollars) ?? 0,
  );
  return dollarsFromCents(
    Math.max(
      0,
      backCents.reduce((left, cents) => left - cents, priceCents),
    ),
  );
}

/**
 * What is wrong with a typed amount to refund.
 * @param text an amount as it is typed, such as 100 or 100.50
 * @param left what is left of the price, in dollars
 * @returns a sentence for the field; null when it is more than nothing and at most what is left
 */
export function refundError(text: string, left: number): string | null {
  const cents = centsFromText(amountOrText(text));
  if (cents === null) return `An amount is ${amountHint()}`;
  if (cents === 0) return `Name an amount of more than ${currency.sign}0`;
  return cents > (centsFromDollars(left) ?? 0) ? `${formatDollars(left)} is left of the price` : null;
}
