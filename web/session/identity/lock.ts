/** Milliseconds to wait for the lock; then the work runs without it. */
const LOCK_TIMEOUT = 20_000;

/**
 * Runs work under a lock that all tabs of this browser share. Browsers without the Web Locks API run it at once.
 */
export async function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  // Undefined in older browsers and on pages over plain HTTP, contrary to its type.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return work();
  let isStarted = false;
  const start = () => {
    isStarted = true;
    return work();
  };
  try {
    return await locks.request(name, { signal: AbortSignal.timeout(LOCK_TIMEOUT) }, start);
  } catch (error) {
    if (isStarted) throw error;
    return work();
  }
}
