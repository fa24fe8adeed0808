/** The number of changes that are remembered. Responses take milliseconds to create, so few happen meanwhile. */
const MAXIMUM_CHANGES = 500;

/**
 * Remembers the last changes of the catalogue, to tell whether a response that was read before one of them shows what has
 * changed. Times are numbers of changes, not clock times.
 */
export function createChangeLog() {
  const recent: (ReadonlySet<string> | null)[] = [];
  let count = 0;

  return {
    /** The number of changes until now. */
    now: (): number => count,
    /** @param tags what has changed; null for everything */
    add: (tags: readonly string[] | null): void => {
      recent.push(tags === null ? null : new Set(tags));
      if (recent.length > MAXIMUM_CHANGES) recent.shift();
      count += 1;
    },
    /** Whether one of these tags has, or may have, changed after a time. @param since from `now` */
    haveTouched: (tags: readonly string[], since: number): boolean => {
      const missed = count - since;
      if (missed === 0) return false;
      if (missed > recent.length) return true;
      return recent
        .slice(-missed)
        .some((changed) => changed === null || tags.some((tag) => changed.has(tag)));
    },
  };
}
