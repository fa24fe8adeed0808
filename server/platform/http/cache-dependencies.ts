import { AsyncLocalStorage } from 'node:async_hooks';

/** The data that a response shows. A change of it makes the response stale. */
export interface CacheDependencies {
  /** Names of data, as in `server/listings/catalogue/change-tags.ts`. */
  tags: readonly string[];
  /** The time at which the response becomes stale without a change, in milliseconds since 1970; null for never. */
  until: number | null;
}

/** Data that never changes while the process runs. */
export const unchanging: CacheDependencies = { tags: [], until: null };

const collectors = new AsyncLocalStorage<CacheDependencies[]>();

/** Combines what several parts of a response show. */
export function combineCacheDependencies(parts: readonly CacheDependencies[]): CacheDependencies {
  const times = parts.map(({ until }) => until).filter((until) => until !== null);
  return {
    tags: [...new Set(parts.flatMap(({ tags }) => tags))],
    until: times.length === 0 ? null : Math.min(...times),
  };
}

/** Declares what the response of the present call shows. Without effect unless a page is being rendered. */
export function declareCacheDependencies(dependencies: CacheDependencies): void {
  collectors.getStore()?.push(dependencies);
}

/**
 * Runs a call in process.
 * @returns its result, and what it declared; null when it declared nothing, so that it must not be cached
 */
export async function collectCacheDependencies<Result>(
  call: () => Promise<Result>,
): Promise<{ result: Result; dependencies: CacheDependencies | null }> {
  const declared: CacheDependencies[] = [];
  const result = await collectors.run(declared, call);
  return { result, dependencies: declared.length === 0 ? null : combineCacheDependencies(declared) };
}
