/** Something that is done over and over in each process. */
export interface Timer {
  /** Aborts the round under way, if any, and resolves when it has ended, after 5 s at most; no other begins. */
  stop(): Promise<void>;
}

/** Milliseconds. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * Does something every `milliseconds`, never two rounds at once, the first after one interval.
 * @param round its signal is aborted when the timer is stopped
 * @param onError told when a round fails, unless it was aborted; the next comes all the same
 */
export function every(
  milliseconds: number,
  round: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Timer {
  const stopping = new AbortController();
  let under: Promise<void> = Promise.resolve();
  let busy = false;
  const interval = setInterval(() => {
    if (busy) return;
    busy = true;
    under = round(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => {
        busy = false;
      });
  }, milliseconds);
  return {
    stop: async () => {
      clearInterval(interval);
      stopping.abort();
      const longest = Promise.withResolvers<void>();
      const timer = setTimeout(longest.resolve, STOP_TIMEOUT_MS);
      await Promise.race([under, longest.promise]);
      clearTimeout(timer);
    },
  };
}
