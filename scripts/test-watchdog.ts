import { type Event, type Running, running } from './test-progress.ts';

/**
 * Milliseconds without a test starting or ending after which a runner is stuck. Longer than any test may take by its
 * own time limit, and independent of how long the whole run takes.
 */
export const SILENCE_LIMIT = 6 * 60_000;
/** Milliseconds without progress between two lines that say which tests are running. */
const NOTICE = 60_000;

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

export interface Watchdog {
  /**
   * To be called about once a second.
   * @param events all events so far
   * @param now milliseconds of a clock that never goes back
   * @returns a line to print, and why the runner is stuck once it is
   */
  look(events: readonly Event[], now: number): { notice: string | null; stuck: string | null };
}

/**
 * Watches a runner's progress. @param limit milliseconds of silence after which it is stuck
 * @param start when it was started, by the clock of `look`
 */
export function createWatchdog(limit: number, start: number): Watchdog {
  /** When each event was seen. */
  const seen: number[] = [];
  let noticed = start;

  function named(all: readonly Running[], now: number): string {
    if (all.length === 0) return 'no test is running';
    return all.map(({ name, since }) => `${name} (for ${seconds(now - (seen[since] ?? now))})`).join('; ');
  }

  return {
    look(events, now) {
      while (seen.length < events.length) seen.push(now);
      const last = seen.at(-1) ?? start;
      const silence = now - last;
      const what = `No test has started or ended for ${seconds(silence)}. Running: `;
      if (silence >= limit) {
        return { notice: null, stuck: `${what}${named(running(events), now)}. The runner was ended.` };
      }
      if (now - Math.max(last, noticed) < NOTICE) return { notice: null, stuck: null };
      noticed = now;
      return { notice: `${what}${named(running(events), now)}.`, stuck: null };
    },
  };
}
