/** The present day in a time zone, such as `2026-11-30`. @param timeZone of the IANA; left out: that of the browser */
export const today = (timeZone?: string): string =>
  // Swedish dates are written so.
  new Date().toLocaleDateString('sv', { timeZone });
