/** A task that waits for its turn. */
export interface QueuedTask {
  /** Owners take turns; such as the range of the client's IP address. */
  readonly owner: string;
  /** The tasks of one owner take turns by what they are about. */
  readonly subject?: string;
  /** Called when the task, which is no longer queued, has lost its place to one of an owner with fewer tasks. */
  displace(): void;
}

/**
 * Queues tasks so that owners take turns, whatever the number of their tasks. When the queue is full, the owner with the most
 * tasks loses its last one to an owner with fewer.
 */
export function createFairQueue<Task extends QueuedTask>({
  maximum,
  maximumOfOwner,
}: {
  maximum: number;
  maximumOfOwner: number;
}) {
  /** The tasks by owner. The owner with the next turn is first. */
  const queues = new Map<string, readonly Task[]>();
  let size = 0;

  function replace(owner: string, tasks: readonly Task[]): void {
    size += tasks.length - (queues.get(owner)?.length ?? 0);
    if (tasks.length === 0) queues.delete(owner);
    else queues.set(owner, tasks);
  }

  /** Removes a task that gives up, if it is queued. */
  function remove(task: Task): void {
    const queue = queues.get(task.owner) ?? [];
    replace(
      task.owner,
      queue.filter((other) => other !== task),
    );
  }

  function makeRoom(ownTasks: number): boolean {
    if (size < maximum) return true;
    let longest: readonly Task[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    const last = longest.at(-1);
    if (last === undefined || longest.length <= ownTasks + 1) return false;
    remove(last);
    last.displace();
    return true;
  }

  return {
    /** The number of queued tasks. */
    get size() {
      return size;
    },
    /** Queues a task. @returns false when there is no room for another task of its owner */
    add(task: Task): boolean {
      const own = queues.get(task.owner) ?? [];
      if (own.length >= maximumOfOwner || !makeRoom(own.length)) return false;
      replace(task.owner, [...own, task]);
      return true;
    },
    remove,
    /** Removes and returns the task whose turn it is. */
    take(): Task | undefined {
      const [next] = queues;
      if (next === undefined) return undefined;
      const [owner, [task, ...others]] = next;
      replace(owner, []);
      // At the end of the map, and the other subjects first.
      replace(owner, [
        ...others.filter(({ subject }) => subject !== task?.subject),
        ...others.filter(({ subject }) => subject === task?.subject),
      ]);
      return task;
    },
    *[Symbol.iterator](): Generator<Task> {
      for (const queue of queues.values()) yield* queue;
    },
  };
}
