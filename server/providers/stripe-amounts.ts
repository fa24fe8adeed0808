// Stripe's amounts are in its smallest unit of each currency, the shop's in hundredths. Source: https://docs.stripe.com/currencies#minor-units
import { currency } from '#contract/platform/money.ts';

/** Currencies without decimals. Stripe takes ISK and UGX, which have none either, in hundredths. */
const zeroDecimal: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
);
const threeDecimal: ReadonlySet<string> = new Set('bhd jod kwd omr tnd'.split(' '));

/** The shop's currency as Stripe writes it. */
export const shopCurrency = (): string => currency.code.toLowerCase();

/**
 * Converts an amount of Stripe's to hundredths, rounded where its currency has thousandths.
 * @param ofCurrency left out for payments, refunds and disputes. One in another currency is refunded, and until then it counts as if it were
 * in the shop's, so that the same amount goes back
 */
export function fromStripe(amount: number, ofCurrency: string = shopCurrency()): number {
  if (zeroDecimal.has(ofCurrency)) return amount * 100;
  return threeDecimal.has(ofCurrency) ? Math.round(amount / 10) : amount;
}

/** Converts an amount of the shop's currency, which is one of currencies.ts, for Stripe. */
export const toStripe = (cents: number): number => (zeroDecimal.has(shopCurrency()) ? cents / 100 : cents);
