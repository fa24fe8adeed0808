const twentyMinutes = 20 * 60_000;

/** Whether a laptop that was put aside at `since` is still put aside at `now`; both in milliseconds. */
export function isHeld(since: number, now: number): boolean {
  return now - since < twentyMinutes;
}
