import { currencyOf, isCurrencyCode, scaledCents } from '#contract/platform/currencies.ts';
import { currency, formatAmount, setCurrency } from '#contract/platform/money.ts';

const code = process.env.JOURNEYS_CURRENCY ?? 'USD';
if (!isCurrencyCode(code)) throw new Error(`JOURNEYS_CURRENCY=${code} is no currency of a shop.`);
setCurrency(currencyOf(code));

/** An amount in the currency of the journeys, which are written with dollars: 549.99 is also €549.99 and ¥54,999. */
export const amount = (dollars: number): number =>
  scaledCents(Math.round(dollars * 100), isCurrencyCode(code) ? code : 'USD') / 100;

/** An amount as pages show it, such as `$549.99`. */
export const shown = (dollars: number): string => formatAmount(amount(dollars));

/** An amount as filters show it, such as `$500`. */
export const shownShortly = (dollars: number): string => shown(dollars).replace(/\.00$/, '');

/** An amount as people type it, such as `549.99`. */
export const typed = (dollars: number): string => String(amount(dollars));

/** The pattern of an amount as pages show it. */
export const anyAmount = `\\${currency.sign}[\\d,]+${currency.smallestAmount === 100 ? '' : '\\.\\d\\d'}`;

export { currency };
