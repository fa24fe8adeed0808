import { type ProgressEvent, type RunningTest, runningTests } from './test-progress.ts';

/**
 * Milliseconds without a test starting or ending after which a runner is stuck. Longer than the time limit of any
 * test, and independent of the duration of the whole run.
 */
export const SILENCE_LIMIT = 6 * 60_000;
/** Milliseconds without progress between two lines that name the running tests. */
const NOTICE_INTERVAL = 60_000;

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

export interface Watchdog {
  /**
   * Call it about once a second.
   * @param events all events so far
   * @param now milliseconds of a monotonic clock
   * @returns a line to print, and the reason why the runner is stuck once it is
   */
  check(events: readonly ProgressEvent[], now: number): { notice: string | null; stuck: string | null };
}

/**
 * Creates a watchdog over a runner's progress.
 * @param limit milliseconds without progress after which the runner is stuck
 * @param start when the runner was started, by the clock of `check`
 */
export function createWatchdog(limit: number, start: number): Watchdog {
  /** When each event was seen first. */
  const seenAt: number[] = [];
  let lastNotice = start;

  function listNames(tests: readonly RunningTest[], now: number): string {
    if (tests.length === 0) return 'no test is running';
    return tests
      .map(({ name, since }) => `${name} (for ${seconds(now - (seenAt[since] ?? now))})`)
      .join('; ');
  }

  return {
    check(events, now) {
      while (seenAt.length < events.length) seenAt.push(now);
      const lastEvent = seenAt.at(-1) ?? start;
      const silence = now - lastEvent;
      const prefix = `No test has started or ended for ${seconds(silence)}. Running: `;
      if (silence >= limit) {
        return {
          notice: null,
          stuck: `${prefix}${listNames(runningTests(events), now)}. The runner was ended.`,
        };
      }
      if (now - Math.max(lastEvent, lastNotice) < NOTICE_INTERVAL) return { notice: null, stuck: null };
      lastNotice = now;
      return { notice: `${prefix}${listNames(runningTests(events), now)}.`, stuck: null };
    },
  };
}
