import { setTimeout as delay } from 'node:timers/promises';

/** Time after which a shutdown is forced, in milliseconds. The drain period is added to it. */
const SHUTDOWN_TIMEOUT_MS = 9_000;

/** How long a forced exit waits for the components that nothing has stopped yet, in milliseconds. */
const FORCED_STOP_MS = 1_000;

/** Stops one started component. */
export type Stop = () => Promise<void>;

export type ShutdownSignals = ReturnType<typeof handleShutdownSignals>;

/**
 * Handles SIGTERM, SIGINT and SIGHUP, which is sent when the terminal is closed.
 * @param getDrainMs the drain period in milliseconds, read when the first signal arrives
 * @param stops what a forced exit stops
 * @returns `shutdown`, aborted by the first signal: the process must stop, even if it is still starting; `skipDrain`, aborted
 *   by a further signal: the rest of the drain period is skipped
 */
export function handleShutdownSignals(getDrainMs: () => number, stops: Stop[]) {
  const shutdown = new AbortController();
  const skipDrain = new AbortController();
  const onSignal = () => {
    if (shutdown.signal.aborted) return skipDrain.abort();
    forceExitAfter(getDrainMs(), stops);
    shutdown.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { shutdown: shutdown.signal, skipDrain: skipDrain.signal };
}

/** Waits for the drain period, or until it is skipped. */
export async function waitForDrain(milliseconds: number, skipDrain: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: skipDrain }).catch((error: unknown) => {
    if (!skipDrain.aborted) throw error;
  });
}

/**
 * Ends the process with an error if it still runs {@link SHUTDOWN_TIMEOUT_MS} after the drain period. The components that wait
 * behind the one that does not stop are stopped first, all at once: an embedded PostgreSQL would outlive this process.
 * @param drainMs the drain period in milliseconds
 */
export function forceExitAfter(drainMs: number, stops: Stop[]): void {
  const forceExit = async () => {
    console.error('Stopping took too long and was forced.');
    await Promise.race([Promise.allSettled(stops.splice(0).map((stop) => stop())), delay(FORCED_STOP_MS)]);
    process.exit(1);
  };
  setTimeout(forceExit, SHUTDOWN_TIMEOUT_MS + drainMs).unref();
}

/** Stops all components in reverse order and ends the process. */
export async function stopAll(stops: Stop[], exitCode: number): Promise<never> {
  let hasFailed = false;
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
    await stop().catch((error: unknown) => {
      hasFailed = true;
      console.error(error);
    });
  }
  process.exit(hasFailed ? 1 : exitCode);
}
