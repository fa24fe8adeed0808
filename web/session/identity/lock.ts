/** Milliseconds to wait for the lock; then the work runs without it. */
const LOCK_TIMEOUT = 20_000;

/** Runs work under a lock of all tabs of this browser. Browsers without the Web Locks API run it at once. */
function withLock(name: string, work: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = () => {
    const result = work();
    resolve(result);
    return result.catch(() => undefined);
  };
  // Undefined in older browsers and on pages over plain HTTP, contrary to its type.
  const locks: LockManager | undefined = navigator.locks;
  // The request fails only if it did not get the lock.
  if (locks === undefined) void run();
  else locks.request(name, { signal: AbortSignal.timeout(LOCK_TIMEOUT) }, run).catch(run);
  return promise;
}

/**
 * Creates a function that runs work under a lock of all tabs. Concurrent callers in this tab get one result while they
 * pass the same key.
 * @param name of the lock
 */
export function createSharedWork(name: string) {
  let pending: { key: string; result: Promise<void> } | null = null;
  return (key: string, work: () => Promise<void>): Promise<void> => {
    if (pending?.key === key) return pending.result;
    const result = withLock(name, work).finally(() => {
      if (pending?.result === result) pending = null;
    });
    pending = { key, result };
    return result;
  };
}
