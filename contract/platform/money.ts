/**
 * Converts integer cents to dollars (`549.99`) by moving the decimal point in text, without rounding errors.
 */
export function dollarsFromCents(cents: number): number {
  const digits = String(cents).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** The amount that messages show as an example. A form shows it in the notation of its browser. */
export const EXAMPLE_AMOUNT = '549.99';

/** The maximum length of an amount, in characters. */
const MAXIMUM_AMOUNT_LENGTH = 20;

/**
 * Parses dollars such as `549.99` to integer cents by moving the decimal point in the text, without rounding errors.
 * @returns null if the text is not a non-negative whole number of cents
 */
export function centsFromText(text: string): number | null {
  if (text.length > MAXIMUM_AMOUNT_LENGTH) return null;
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + fraction.padEnd(2, '0'));
}

/**
 * Converts dollars to integer cents.
 * @returns null if the number is not a non-negative whole number of cents
 */
export function centsFromDollars(dollars: number): number | null {
  return centsFromText(String(dollars));
}

/** The shop's currency: its ISO 4217 code, its sign, its name, and other words by which people name it. */
export const currency = {
  code: 'USD',
  sign: '$',
  name: 'dollars',
  words: ['dollar', 'usd', 'bucks'],
} as const;

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.code });

/** Formats a price, such as `$1,249.00`. */
export function formatDollars(dollars: number): string {
  return dollarFormat.format(dollars);
}

/** Formats integer cents as dollars, with a minus sign: `−$12.50`. */
export function formatCents(cents: number): string {
  const amount = formatDollars(dollarsFromCents(Math.abs(cents)));
  return cents < 0 ? `−${amount}` : amount;
}
