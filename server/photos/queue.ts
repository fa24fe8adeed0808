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

/**
 * Decoding a photo costs a core and a lot of memory, and an upload waiting for it holds its bytes: both are
 * bounded here, so that a rush ends in refusals and not in a dead server.
 * @param bounds.running tasks that run at the same time
 * @param bounds.underWay places in all: receiving, waiting and running
 */
export function createQueue(bounds: { running: number; underWay: number }): Queue {
  let underWay = 0;
  let running = 0;
  const waiting: Array<() => void> = [];

  async function turn(): Promise<void> {
    if (running < bounds.running) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }

  function pass(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    enter() {
      if (underWay >= bounds.underWay) return null;
      underWay += 1;
      return {
        async run(task) {
          await turn();
          try {
            return await task();
          } finally {
            pass();
          }
        },
        leave() {
          underWay -= 1;
        },
      };
    },
  };
}
