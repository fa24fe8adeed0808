/** How often it is looked, in milliseconds: about how long people see the shop without its records. */
const INTERVAL = 1_000;

/**
 * Looks again and again whether something still runs, and starts it again when it does not.
 * @param watched.log told in a sentence what happened, and why a start failed; it is tried again
 * @returns what ends the watch; resolves when no start is under way any more
 */
export function keepRunning(watched: {
  isRunning(): Promise<boolean>;
  startAgain(): Promise<void>;
  log(message: string): void;
}): () => Promise<void> {
  let stopped = false;
  let look: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function lookOnce(): Promise<void> {
    try {
      if (await watched.isRunning()) return;
      if (stopped) return;
      await watched.startAgain();
      watched.log('PostgreSQL had ended unexpectedly and runs again.');
    } catch (error) {
      watched.log(error instanceof Error ? error.message : String(error));
    }
  }

  function later(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      look = lookOnce().finally(later);
    }, INTERVAL);
    // A program that has nothing left to do may end.
    timer.unref();
  }

  later();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await look;
  };
}
