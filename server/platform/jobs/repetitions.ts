/** While the database is away, each worker and each periodic task fails many times a minute. */
const REPEAT_INTERVAL_MS = 60_000;

/** What an error and those behind it say. A failure of several items that is caused differently is another one. */
function causesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes = [
    ...(error.cause === undefined ? [] : [error.cause]),
    ...(error instanceof AggregateError ? error.errors : []),
  ];
  return [error.message, ...causes.map(causesOf)].join('\n');
}

/**
 * Passes failures on, but for repetitions: one with the same cause is passed once a minute.
 * @param causeOf what tells failures apart
 */
export function withoutRepetitions<Failure>(
  onFailure: (error: Failure) => void,
  causeOf: (error: Failure) => string = causesOf,
): (error: Failure) => void {
  const passed = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    for (const [cause, at] of passed) if (now - at >= REPEAT_INTERVAL_MS) passed.delete(cause);
    const cause = causeOf(error);
    if (passed.has(cause)) return;
    passed.set(cause, now);
    onFailure(error);
  };
}
