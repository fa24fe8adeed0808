/** Something that is done over and over in each process. */
export interface Timer {
  /** Resolves when the round under way, if any, has ended; no other begins. */
  stop(): Promise<void>;
}

/**
 * Does something every `milliseconds`, never two rounds at once, the first after one interval.
 * @param onError told when a round fails; the next comes all the same
 */
export function every(
  milliseconds: number,
  round: () => Promise<void>,
  onError: (error: unknown) => void,
): Timer {
  let under: Promise<void> = Promise.resolve();
  let busy = false;
  const interval = setInterval(() => {
    if (busy) return;
    busy = true;
    under = round()
      .catch(onError)
      .finally(() => {
        busy = false;
      });
  }, milliseconds);
  return {
    stop: () => {
      clearInterval(interval);
      return under;
    },
  };
}
