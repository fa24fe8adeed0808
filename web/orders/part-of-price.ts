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

/** What is wrong with an amount as it is typed, such as 100 or 100.50: it is none, or {@link excess} says that it is too large. */
function amountError(text: string, excess: (cents: number) => string | null): string | null {
  const cents = centsFromText(amountOrText(text));
  if (cents === null) return `An amount is ${amountHint()}`;
  return cents === 0 ? `Name an amount of more than ${currency.sign}0` : excess(cents);
}

const centsOf = (amount: number) => centsFromAmount(amount) ?? 0;

/** What is wrong with a typed part of an order's price; null when it is more than nothing and less than the price. */
export const partOfPriceError = (text: string, price: number): string | null =>
  amountError(text, (cents) =>
    cents < centsOf(price) ? null : `A part is less than the price of ${formatAmount(price)}`,
  );

/** What is wrong with a typed amount to refund; null when it is more than nothing and at most what is left of the price. */
export const refundError = (text: string, left: number): string | null =>
  amountError(text, (cents) => (cents > centsOf(left) ? `${formatAmount(left)} is left of the price` : null));

/** What of an order's price has not gone back to the buyer. */
export const leftOfPrice = ({
  price,
  refunded,
  goodwill,
}: Pick<Order, 'price' | 'refunded' | 'goodwill'>): number =>
  amountFromCents(Math.max(0, centsOf(price) - centsOf(refunded) - centsOf(goodwill)));
