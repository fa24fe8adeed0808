import { performance } from 'node:perf_hooks';

const CHECK_INTERVAL_MS = 1_000;

/** A process that works for less than this share of the time is idle. */
const IDLE_UTILIZATION = 0.1;

/** How many intervals in a row a process is idle before its garbage is collected: after a collection, code is compiled again. */
const IDLE_INTERVALS = 5;

/** How many intervals in a row it collects then: a collection drops code that was not used since the ones before. */
const COLLECTIONS = 3;

/** Milliseconds of work after which there may be garbage that is worth a collection. */
const WORTHWHILE_MS = 1_000;

/**
 * Collects all garbage and returns free pages to the system; null without Node's option `--expose-gc`. The other flavor keeps
 * the pages.
 */
const collectAll =
  globalThis.gc === undefined ? null : () => globalThis.gc?.({ type: 'major', flavor: 'last-resort' });

/**
 * Collects garbage when the process has been idle for five seconds after work. V8 collects when memory is allocated, so an idle
 * process keeps what the last load has left: more than a third of its memory. Each collection blocks the process for about 0.1 s.
 * @param collect null: nothing is collected
 * @param options.intervalMs how often the process is looked at, in milliseconds
 * @returns stops it
 */
export function collectWhenIdle(
  collect: (() => void) | null = collectAll,
  { intervalMs = CHECK_INTERVAL_MS, worthwhileMs = WORTHWHILE_MS } = {},
): () => void {
  if (collect === null) return () => undefined;
  let before = performance.eventLoopUtilization();
  let workedMs = 0;
  let idleIntervals = 0;
  let remaining = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    workedMs += active;
    idleIntervals = utilization < IDLE_UTILIZATION ? idleIntervals + 1 : 0;
    if (idleIntervals === 0) remaining = 0;
    if (idleIntervals >= IDLE_INTERVALS && workedMs >= worthwhileMs) {
      workedMs = 0;
      remaining = COLLECTIONS;
    }
    if (remaining === 0) return;
    remaining -= 1;
    collect();
    // The collection is no work.
    before = performance.eventLoopUtilization();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
