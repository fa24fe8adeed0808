import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type SerializedPage, utf8 } from '../http/paging.ts';

/** A cached serialized response. */
export interface CachedResponse extends SerializedPage {
  /** Strong entity tag of the bytes. */
  etag: string;
}

/** The maximum size of the cache in bytes, including keys and overhead. */
export const MAXIMUM_CACHE_BYTES = 32 * 1024 * 1024;

/** The overhead per entry in bytes, estimated rather too high. */
const ENTRY_BYTES = 512;

/** The maximum number of requested keys that are remembered, to recognize the second request of a key. */
const MAXIMUM_SEEN_KEYS = 2_000;

/**
 * An LRU cache of serialized catalogue responses, limited in bytes. It is enabled only while this process is notified of
 * every change (see `database/notification-listener.ts`), and cleared on each change; entries do not expire by time. Keys are
 * made from parsed input, so that all URLs of a response share an entry.
 */
export type ResponseCache = ReturnType<typeof createResponseCache>;

/** Adds the entity tag to a serialized page. */
export function toCachedResponse(page: SerializedPage): CachedResponse {
  return { ...page, etag: `"${hash('sha256', page.json, 'base64url').slice(0, 22)}"` };
}

/** Serializes a response that is not a page, and adds its entity tag. */
export const toCachedJson = (body: unknown): CachedResponse =>
  toCachedResponse({ json: utf8(JSON.stringify(body)), next: null });

export function createResponseCache() {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: MAXIMUM_CACHE_BYTES,
    sizeCalculation: ({ json }, key) => json.byteLength + 2 * key.length + ENTRY_BYTES,
  });
  const seenKeys = new LRUCache<string, true>({ max: MAXIMUM_SEEN_KEYS });
  let isEnabled = false;
  let generation = 0;

  /** Removes all responses after a change. */
  function clear(): void {
    generation += 1;
    responses.clear();
  }

  return {
    get: (key: string): CachedResponse | undefined => responses.get(key),
    /**
     * Returns the cached response, or creates one. It is cached from the second request of its key on, unless the catalogue
     * changed meanwhile: a client that reads a long list once must not evict popular responses.
     */
    getOrCreate: async (key: string, create: () => Promise<CachedResponse>): Promise<CachedResponse> => {
      const cached = responses.get(key);
      if (cached !== undefined) return cached;
      const generationBefore = generation;
      const wasSeen = seenKeys.get(key) ?? false;
      if (!wasSeen) seenKeys.set(key, true);
      const created = await create();
      // A response read before a change must not be cached after it.
      if (wasSeen && isEnabled && generationBefore === generation) responses.set(key, created);
      return created;
    },
    clear,
    /** Enables and clears the cache. Called when notifications of changes arrive. */
    enable: (): void => {
      isEnabled = true;
      clear();
    },
    /** Disables and clears the cache until `enable`. Called when notifications may be missed. */
    disable: (): void => {
      isEnabled = false;
      clear();
    },
    size: () => ({ entries: responses.size, bytes: responses.calculatedSize }),
  };
}
