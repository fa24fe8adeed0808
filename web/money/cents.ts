/** Formats cents as a plain decimal number for other programs: `-12.50`. */
export function plainCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** `Nov`. */
export const shortNameOfMonth = (month: string): string =>
  shortMonth.format(new Date(`${month}-01T00:00:00Z`));
