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
  let stopped = false;
  let currentCheck: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    try {
      if (await server.isRunning()) return;
      if (stopped) return;
      await server.restart();
      server.log('PostgreSQL had ended unexpectedly and runs again.');
    } catch (error) {
      server.log(error instanceof Error ? error.message : String(error));
    }
  }

  function scheduleCheck(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      currentCheck = check().finally(scheduleCheck);
    }, CHECK_INTERVAL_MS);
    // The checks alone do not keep the process alive.
    timer.unref();
  }

  scheduleCheck();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await currentCheck;
  };
}
