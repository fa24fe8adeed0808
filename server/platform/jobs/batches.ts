/** Calls to the card processor at a time. Each may hold a database connection, and requests need the others. */
export const BATCH_SIZE = 10;

/** Processes all items in batches. One failure stops no other item. @returns the failures */
export async function processAll<Item>(
  items: readonly Item[],
  process: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const outcomes = await Promise.allSettled(items.slice(start, start + BATCH_SIZE).map(process));
    for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  return failures;
}

/**
 * Takes and processes due items until none is due, the signal is aborted, or a whole batch fails.
 * @param take up to {@link BATCH_SIZE} due items; it postpones each, so a failed one is retried later
 * @returns the failures
 */
export async function processDue<Item>(
  signal: AbortSignal,
  take: () => Promise<readonly Item[]>,
  process: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (;;) {
    if (signal.aborted) return failures;
    const due = await take();
    const failed = await processAll(due, process);
    failures.push(...failed);
    if (due.length < BATCH_SIZE || failed.length === due.length) return failures;
  }
}

/** Throws the first failure, if there is one. */
export function throwFirst(failures: readonly unknown[]): void {
  if (failures.length > 0) throw failures[0];
}

/** Throws all failures as one error, if there are any. @throws AggregateError */
export function throwAll(failures: readonly unknown[], message: string): void {
  if (failures.length > 0) throw new AggregateError(failures, message);
}
