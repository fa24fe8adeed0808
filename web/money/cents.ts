import { currency } from '#contract/platform/money.ts';

/** Formats cents as a plain decimal number for other programs: `-12.50`, and `-1250` in a currency without decimals. */
export function plainCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const fraction = currency.smallestAmount === 100 ? '' : `.${digits.slice(-2)}`;
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${fraction}`;
}

const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** `Nov`. */
export const shortNameOfMonth = (month: string): string =>
  shortMonth.format(new Date(`${month}-01T00:00:00Z`));
