import type { Currency } from './money.ts';

/**
 * The currencies in which Stripe settles payments, with Stripe's minimum charge. Source:
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. `magnitude`: about how many units are worth as much as a US
 * dollar, as a power of ten. Bounds are larger by it.
 */
const settled = {
  AED: { least: 2, magnitude: 1 },
  AUD: { least: 0.5, magnitude: 1 },
  BRL: { least: 0.5, magnitude: 1 },
  CAD: { least: 0.5, magnitude: 1 },
  CHF: { least: 0.5, magnitude: 1 },
  CZK: { least: 15, magnitude: 10 },
  DKK: { least: 2.5, magnitude: 10 },
  EUR: { least: 0.5, magnitude: 1 },
  GBP: { least: 0.3, magnitude: 1 },
  HKD: { least: 4, magnitude: 10 },
  HUF: { least: 175, magnitude: 100 },
  INR: { least: 0.5, magnitude: 100 },
  JPY: { least: 50, magnitude: 100 },
  MXN: { least: 10, magnitude: 10 },
  MYR: { least: 2, magnitude: 1 },
  NOK: { least: 3, magnitude: 10 },
  NZD: { least: 0.5, magnitude: 1 },
  PLN: { least: 2, magnitude: 1 },
  RON: { least: 2, magnitude: 1 },
  SEK: { least: 3, magnitude: 10 },
  SGD: { least: 0.5, magnitude: 1 },
  THB: { least: 10, magnitude: 10 },
  USD: { least: 0.5, magnitude: 1 },
} as const;
export type CurrencyCode = keyof typeof settled;

export const isCurrencyCode = (code: string): code is CurrencyCode => Object.hasOwn(settled, code);

export const currencyCodes = Object.keys(settled).filter(isCurrencyCode);

/** The maximum price in US dollars. */
const MAXIMUM_PRICE = 50_000;

const englishName = new Intl.DisplayNames('en', { type: 'currency' });

/** A currency in lists, such as `EUR, Euro`. */
export const currencyLabel = (code: CurrencyCode): string => `${code}, ${englishName.of(code) ?? code}`;

const partOf = (code: CurrencyCode, currencyDisplay: 'symbol' | 'name') =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay })
    .formatToParts(2)
    .find(({ type }) => type === 'currency')?.value ?? code;

/** An amount in US cents as one of the same size in another currency, such as a bound. */
export const scaledCents = (cents: number, code: CurrencyCode): number => cents * settled[code].magnitude;

/** A currency with the bounds of its amounts. */
export function currencyOf(code: CurrencyCode): Currency {
  const { least } = settled[code];
  return {
    code,
    sign: partOf(code, 'symbol'),
    // `Japanese yen` and `US dollars` without their country.
    name: partOf(code, 'name').replace(/^.* /, ''),
    // The only one of these without decimals. Stripe charges HUF with two, although it pays out whole ones.
    smallestAmount: code === 'JPY' ? 100 : 1,
    leastCents: least * 100,
    mostCents: scaledCents(MAXIMUM_PRICE * 100, code),
  };
}

/** The currency of a fresh shop. */
export const defaultCurrency = currencyOf('USD');
