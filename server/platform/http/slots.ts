/** A number of slots by key. */
export interface SlotLimit {
  readonly key: string;
  readonly maximum: number;
}

/**
 * Counts what is held at a time, such as connections and uploads. What is over a limit is refused, not queued: what waits would
 * occupy a connection or a file itself.
 */
export function createSlots() {
  const used = new Map<string, number>();
  const change = (limits: readonly SlotLimit[], by: 1 | -1) => {
    for (const { key } of limits) {
      const count = (used.get(key) ?? 0) + by;
      if (count === 0) used.delete(key);
      else used.set(key, count);
    }
  };
  return {
    /** Acquires a slot of each key, until it is disposed of. @returns null when one of them has none */
    tryAcquire(...limits: readonly SlotLimit[]): Disposable | null {
      if (limits.some(({ key, maximum }) => (used.get(key) ?? 0) >= maximum)) return null;
      change(limits, 1);
      return { [Symbol.dispose]: () => change(limits, -1) };
    },
  };
}
