import { setTimeout as delay } from 'node:timers/promises';

/** About the time during which requests fail after the server has ended. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Checks every second whether a server runs, and restarts it when it does not.
 * @param server.log called with a sentence after a restart and after a failed one, which is tried again
 * @returns stops the checks; resolves when no restart is in progress
 */
export function keepRunning(server: {
  isRunning(): Promise<boolean>;
  restart(): Promise<void>;
  log(message: string): void;
}): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function check(): Promise<void> {
    try {
      if ((await server.isRunning()) || signal.aborted) return;
      await server.restart();
      server.log('PostgreSQL had ended unexpectedly and runs again.');
    } catch (error) {
      server.log(error instanceof Error ? error.message : String(error));
    }
  }

  async function checkUntilStopped(): Promise<void> {
    for (;;) {
      // Rejects when the checks are stopped. They alone do not keep the process alive.
      await delay(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await check();
    }
  }

  const checks = checkUntilStopped();
  return () => {
    stopping.abort();
    return checks;
  };
}
