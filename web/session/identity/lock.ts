/** Milliseconds that a tab waits for the others; then it goes on without the lock rather than not at all. */
const WAIT_LIMIT = 20_000;

/**
 * Does one piece of work while no other tab of this browser does its own under that name. Browsers without locks, and
 * pages that are not served securely, do it at once.
 */
export async function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  // Older browsers have none, and neither have pages over plain HTTP, whatever the types say.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return work();
  let begun = false;
  const begin = () => {
    begun = true;
    return work();
  };
  try {
    return await locks.request(name, { signal: AbortSignal.timeout(WAIT_LIMIT) }, begin);
  } catch (error) {
    if (begun) throw error;
    return work();
  }
}
