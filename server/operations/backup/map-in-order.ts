/**
 * How many photos are read, written or removed concurrently, each completely in memory: they have a few megabytes at most,
 * and an interrupted read must be repeated before anything is written to the archive.
 */
const CONCURRENCY = 8;

/**
 * Maps items with bounded concurrency and yields the results in order. After a failure it waits for the pending items before
 * it throws. p-map does not wait, and its `pMapIterable` would buffer up to twice as many results.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const pending: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // An error is thrown where the result is awaited below; until then it must not be unhandled.
      result.catch(() => undefined);
      pending.push(result);
      const next = pending.length === CONCURRENCY ? pending.shift() : undefined;
      if (next !== undefined) yield await next;
    }
    for (const result of pending) yield await result;
  } finally {
    await Promise.allSettled(pending);
  }
}

/** Runs `work` for each item in the same way. */
export async function forEachConcurrently<Item>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for await (const _done of mapInOrder(items, work));
}
