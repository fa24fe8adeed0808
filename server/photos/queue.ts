/** How many of something may run at once, and how many may be under way in all. */
export interface Queue {
  /** Takes a place among those under way, or null when all are taken. */
  enter(): Place | null;
}

export interface Place {
  /** Runs the task when its turn comes; first come, first served. */
  run<Answer>(task: () => Promise<Answer>): Promise<Answer>;
  /** Gives the place back. */
  leave(): void;
}

/** Lets so many tasks run at the same time, first come, first served. */
export interface Turns {
  run<Answer>(task: () => Promise<Answer>): Promise<Answer>;
}

/** @param running tasks that run at the same time */
export function createTurns(running: number): Turns {
  let taken = 0;
  const waiting: Array<() => void> = [];

  async function turn(): Promise<void> {
    if (taken < running) {
      taken += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }

  function pass(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  }

  return {
    async run(task) {
      await turn();
      try {
        return await task();
      } finally {
        pass();
      }
    },
  };
}

/**
 * Decoding a photo costs a core and a lot of memory, and an upload waiting for it holds its bytes: both are
 * bounded here, so that a rush ends in refusals and not in a dead server.
 * @param bounds.turns what runs the tasks; several queues may share it
 * @param bounds.underWay places in all: receiving, waiting and running
 */
export function createQueue({ turns, underWay }: { turns: Turns; underWay: number }): Queue {
  let taken = 0;
  return {
    enter() {
      if (taken >= underWay) return null;
      taken += 1;
      return {
        run: (task) => turns.run(task),
        leave() {
          taken -= 1;
        },
      };
    },
  };
}
