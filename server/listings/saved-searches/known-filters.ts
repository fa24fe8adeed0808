import type { SearchFilters } from '#contract/listings/search.ts';

/** The size of all kept filters in bytes of JSON: 2,000 of the largest, or about 40,000 of the usual size. */
const MAXIMUM_KEPT_BYTES = 8 * 1024 * 1024;

/** Parsed filters by their SHA-256, which never change. Parsing large ones takes 0.2 ms, and matching needs all of them each time. */
export interface KnownFilters {
  get(hash: string): SearchFilters | undefined;
  /** Keeps filters while there is room. */
  add(hash: string, filters: SearchFilters): void;
  /** Forgets the filters that nobody asked for since the last call: their searches are gone. */
  forgetUnused(): void;
}

/** No LRU cache: all filters are read in one order, so that of one entry too many nothing would be found. */
export function createKnownFilters(): KnownFilters {
  const entries = new Map<string, { filters: SearchFilters; bytes: number; isUsed: boolean }>();
  let total = 0;
  return {
    get: (hash) => {
      const entry = entries.get(hash);
      if (entry !== undefined) entry.isUsed = true;
      return entry?.filters;
    },
    add: (hash, filters) => {
      const bytes = Buffer.byteLength(JSON.stringify(filters));
      if (total + bytes > MAXIMUM_KEPT_BYTES) return;
      total += bytes;
      entries.set(hash, { filters, bytes, isUsed: true });
    },
    forgetUnused: () => {
      for (const [hash, entry] of entries) {
        if (!entry.isUsed) {
          entries.delete(hash);
          total -= entry.bytes;
        }
        entry.isUsed = false;
      }
    },
  };
}
