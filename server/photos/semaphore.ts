interface WaitingTask {
  readonly owner: string | undefined;
  readonly start: () => void;
}

/**
 * Limits how many tasks run at the same time. p-limit and p-queue start waiting tasks in the order in which they arrived;
 * this one also alternates between owners.
 * @param permits how many tasks run at the same time
 */
export function createSemaphore(permits: number) {
  let running = 0;
  const queue: WaitingTask[] = [];

  async function acquire(owner: string | undefined): Promise<void> {
    if (running < permits) {
      running += 1;
      return;
    }
    await new Promise<void>((start) => {
      queue.push({ owner, start });
    });
  }

  /** Hands the permit to the next task. */
  function release(previousOwner: string | undefined): void {
    const otherOwnerIndex = queue.findIndex(({ owner }) => owner !== previousOwner);
    const [next] = queue.splice(Math.max(0, otherOwnerIndex), 1);
    if (next === undefined) running -= 1;
    else next.start();
  }

  return {
    /** Tasks that run or wait. */
    get size(): number {
      return running + queue.length;
    },
    /**
     * Runs a task once a permit is free. Waiting tasks start in the order in which they arrived, except that one owner
     * never gets two permits in a row while another owner waits.
     */
    async run<Result>(task: () => Promise<Result>, owner?: string): Promise<Result> {
      await acquire(owner);
      try {
        return await task();
      } finally {
        release(owner);
      }
    },
  };
}
