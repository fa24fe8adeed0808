const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Formats cents as dollars, with a minus sign: `−$12.50`. */
export function formatCents(cents: number): string {
  const formatted = format.format(Math.abs(cents) / 100);
  return cents < 0 ? `−${formatted}` : formatted;
}

/** Formats cents as a plain decimal number for other programs: `-12.50`. */
export function plainCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** The name of a month such as `2026-11`: `November 2026`. */
export const nameOfMonth = (month: string): string => monthName.format(new Date(`${month}-01T00:00:00Z`));

/** `Nov`. */
export const shortNameOfMonth = (month: string): string =>
  shortMonth.format(new Date(`${month}-01T00:00:00Z`));
