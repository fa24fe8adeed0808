/** The share of intervals that must fit the estimate. */
const STEADY = 0.7;
/** How far an interval may be from a multiple of the estimate, in parts of it. */
const TOLERANCE = 0.2;
const FEWEST_FRAMES = 30;

/**
 * Estimates the refresh rate of the screen. A busy browser leaves frames out, so an interval may span several refreshes.
 * @param times when frames were drawn, in milliseconds, ascending
 * @returns Hertz; null when the frames were too few or too uneven
 */
export function estimateRefreshRate(times: readonly number[]): number | null {
  if (times.length < FEWEST_FRAMES) return null;
  const intervals = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const ordered = intervals.toSorted((one, other) => one - other);
  const shortest = ordered[Math.floor(ordered.length / 4)] ?? 0;
  if (shortest <= 0) return null;
  const fits = intervals.flatMap((interval) => {
    const refreshes = Math.max(1, Math.round(interval / shortest));
    return Math.abs(interval / shortest - refreshes) <= TOLERANCE ? [{ interval, refreshes }] : [];
  });
  if (fits.length < intervals.length * STEADY) return null;
  const time = fits.reduce((sum, { interval }) => sum + interval, 0);
  const refreshes = fits.reduce((sum, fit) => sum + fit.refreshes, 0);
  const rate = Math.round((1000 * refreshes) / time);
  return rate >= 1 && rate <= 1000 ? rate : null;
}
