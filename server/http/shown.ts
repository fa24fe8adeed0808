import { AsyncLocalStorage } from 'node:async_hooks';

/** The data that a response shows. A change of it makes the response stale. */
export interface Shown {
  /** Names of data, as in `server/catalogue/change-tags.ts`. */
  tags: readonly string[];
  /** The time at which the response becomes stale without a change, in milliseconds since 1970; null for never. */
  until: number | null;
}

/** Data that never changes while the process runs. */
export const unchanging: Shown = { tags: [], until: null };

const collectors = new AsyncLocalStorage<Shown[]>();

/** Combines what several parts of a response show. */
export function combineShown(parts: readonly Shown[]): Shown {
  const times = parts.map(({ until }) => until).filter((until) => until !== null);
  return {
    tags: [...new Set(parts.flatMap(({ tags }) => tags))],
    until: times.length === 0 ? null : Math.min(...times),
  };
}

/** Declares what the response of the present call shows. Nobody listens to it unless a page is being rendered. */
export function declareShown(shown: Shown): void {
  collectors.getStore()?.push(shown);
}

/**
 * Runs a call in process.
 * @returns its result, and what it declared; null when it declared nothing, so that nobody knows when it becomes stale
 */
export async function collectShown<Result>(
  call: () => Promise<Result>,
): Promise<{ result: Result; shown: Shown | null }> {
  const declared: Shown[] = [];
  const result = await collectors.run(declared, call);
  return { result, shown: declared.length === 0 ? null : combineShown(declared) };
}
