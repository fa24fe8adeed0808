import {
  amountFromCents,
  amountHint,
  centsFromAmount,
  centsFromText,
  currency,
} from '#contract/platform/money.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import type { Order } from '#contract/sales/orders.ts';
import { amountOrText } from '../forms/typed-amount.ts';

/**
 * What is wrong with a typed part of an order's price.
 * @param text an amount as it is typed, such as 100 or 100.50
 * @param price the order's price
 * @returns a sentence for the field; null when it is more than nothing and less than the price
 */
export function partOfPriceError(text: string, price: number): string | null {
  const cents = centsFromText(amountOrText(text));
  if (cents === null) return `An amount is ${amountHint()}`;
  if (cents === 0) return `Name an amount of more than ${currency.sign}0`;
  if (cents >= (centsFromAmount(price) ?? 0))
    return `A part is less than the price of ${formatAmount(price)}`;
  return null;
}

/** What of an order's price has not gone back to the buyer. */
export function leftOfPrice(order: Pick<Order, 'price' | 'refunded' | 'goodwill'>): number {
  const cents = (amount: number) => centsFromAmount(amount) ?? 0;
  return amountFromCents(Math.max(0, cents(order.price) - cents(order.refunded) - cents(order.goodwill)));
}

/**
 * What is wrong with a typed amount to refund.
 * @param text an amount as it is typed, such as 100 or 100.50
 * @param left what is left of the price
 * @returns a sentence for the field; null when it is more than nothing and at most what is left
 */
export function refundError(text: string, left: number): string | null {
  const cents = centsFromText(amountOrText(text));
  if (cents === null) return `An amount is ${amountHint()}`;
  if (cents === 0) return `Name an amount of more than ${currency.sign}0`;
  return cents > (centsFromAmount(left) ?? 0) ? `${formatAmount(left)} is left of the price` : null;
}
