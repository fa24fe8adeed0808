/**
 * Dollars on the wire (`549.99`) from integer cents, by moving the decimal point in text: exact, without
 * binary floating point arithmetic.
 */
export function dollarsFromCents(cents: number): number {
  const digits = String(cents).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/**
 * Integer cents from dollars on the wire, by moving the decimal point in text.
 * @returns null when the number is not a whole number of cents from 0 up
 */
export function centsFromDollars(dollars: number): number | null {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(dollars));
  if (match === null) return null;
  return Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}

const dollarsForPeople = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** A price as a person reads it: `$1,249.00`. */
export function formatDollars(dollars: number): string {
  return dollarsForPeople.format(dollars);
}
