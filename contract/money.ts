/**
 * Dollars on the wire (`549.99`) from integer cents, by moving the decimal point in text: exact, without
 * binary floating point arithmetic.
 */
export function dollarsFromCents(cents: number): number {
  const digits = String(cents).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** The longest decimal text that is read as an amount, in characters. */
const LONGEST_AMOUNT = 20;

/**
 * Integer cents from decimal text in dollars such as `549.99`, by moving the decimal point in the text: exact, without
 * binary floating point arithmetic.
 * @returns null when the text is not a whole number of cents from 0 up
 */
export function centsFromText(text: string): number | null {
  if (text.length > LONGEST_AMOUNT) return null;
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + fraction.padEnd(2, '0'));
}

/**
 * Integer cents from dollars on the wire.
 * @returns null when the number is not a whole number of cents from 0 up
 */
export function centsFromDollars(dollars: number): number | null {
  return centsFromText(String(dollars));
}

const dollarsForPeople = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** A price as a person reads it: `$1,249.00`. */
export function formatDollars(dollars: number): string {
  return dollarsForPeople.format(dollars);
}
