// Dates in UTC: the server and every browser show the same text, so that rendered pages can be kept and hydrated.

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day such as `Nov 25, 2026`. @param at ISO 8601 */
export const utcDay = (at: string): string => day.format(new Date(at));

/** A day such as `November 25, 2026`. @param at ISO 8601 */
export const longUtcDay = (at: string): string => longDay.format(new Date(at));

/** A month such as `November 2026`. @param at ISO 8601, from the year and the month on */
export const utcMonth = (at: string): string => month.format(new Date(at));
