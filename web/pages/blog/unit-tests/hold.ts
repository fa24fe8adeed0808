const twentyMinutes = 20 * 60_000;

/** Whether a laptop that is held since `since` is still held at `now`; both in milliseconds. */
export function isHeld(since: number, now: number): boolean {
  return now - since < twentyMinutes;
}
