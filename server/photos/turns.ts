/** Runs so many tasks at the same time. */
export interface Turns {
  /**
   * Runs a task when its turn comes: first come, first served, but nobody's twice in a row while somebody else waits.
   * @param owner whose task it is
   */
  run<Answer>(task: () => Promise<Answer>, owner?: string): Promise<Answer>;
}

interface Waiting {
  readonly owner: string | undefined;
  readonly begin: () => void;
}

/** @param running tasks that run at the same time */
export function createTurns(running: number): Turns {
  let taken = 0;
  const waiting: Waiting[] = [];

  async function turn(owner: string | undefined): Promise<void> {
    if (taken < running) {
      taken += 1;
      return;
    }
    await new Promise<void>((begin) => {
      waiting.push({ owner, begin });
    });
  }

  function pass(last: string | undefined): void {
    const another = waiting.findIndex(({ owner }) => owner !== last);
    const [next] = waiting.splice(Math.max(0, another), 1);
    if (next === undefined) taken -= 1;
    else next.begin();
  }

  return {
    async run(task, owner) {
      await turn(owner);
      try {
        return await task();
      } finally {
        pass(owner);
      }
    },
  };
}
