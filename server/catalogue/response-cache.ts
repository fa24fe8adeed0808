import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type SerializedPage, utf8 } from '../http/paging.ts';

/** A response kept as the bytes that go out. */
export interface CachedResponse extends SerializedPage {
  /** Strong entity tag of the bytes. */
  etag: string;
}

/** The most bytes of responses kept, keys and an estimate for their bookkeeping included. */
export const MAXIMUM_CACHE_BYTES = 32 * 1024 * 1024;

/** What an entry takes beside its JSON and its key, in bytes: an estimate that is rather too high. */
const ENTRY_BYTES = 512;

/** How many keys that were asked for once are remembered. */
const MAXIMUM_SEEN_KEYS = 2_000;

/**
 * Responses about the catalogue as bytes in memory, bounded in bytes; the least recently used ones make room. They are
 * kept only while this process hears of every change (see `database/notification-listener.ts`), and dropped at each change, never by
 * the clock. Keys are made from parsed input, so that no two addresses of one response take two entries.
 */
export interface ResponseCache {
  /** The kept response, if there is one. */
  get(key: string): CachedResponse | undefined;
  /**
   * The kept response, or the one that `create` makes. That is kept if it is not the first time that the key is asked
   * for, and nothing changed meanwhile: a client that walks through a long list once would only push out what many ask for.
   */
  getOrCreate(key: string, create: () => Promise<CachedResponse>): Promise<CachedResponse>;
  /** Drops all responses after a change. */
  clear(): void;
  /** Notifications of changes arrive from here on: drops all responses and keeps those that are made next. */
  enable(): void;
  /** Notifications may be missed from here on: drops all responses and keeps none until `enable`. */
  disable(): void;
  /** What is kept now. */
  size(): { entries: number; bytes: number };
}

/** Makes a cached response of a page, with the entity tag of exactly its bytes. */
export function toCachedResponse(page: SerializedPage): CachedResponse {
  return { ...page, etag: `"${hash('sha256', page.json, 'base64url').slice(0, 22)}"` };
}

/** The same of an answer that is no page. */
export const cachedAnswer = (answer: unknown): CachedResponse =>
  toCachedResponse({ json: utf8(JSON.stringify(answer)), next: null });

export function createResponseCache(): ResponseCache {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: MAXIMUM_CACHE_BYTES,
    sizeCalculation: ({ json }, key) => json.byteLength + 2 * key.length + ENTRY_BYTES,
  });
  const seenKeys = new LRUCache<string, true>({ max: MAXIMUM_SEEN_KEYS });
  let enabled = false;
  let generation = 0;

  function clear(): void {
    generation += 1;
    responses.clear();
  }

  return {
    get: (key) => responses.get(key),
    getOrCreate: async (key, create) => {
      const known = responses.get(key);
      if (known !== undefined) return known;
      const before = generation;
      const seen = seenKeys.get(key) ?? false;
      if (!seen) seenKeys.set(key, true);
      const created = await create();
      // A response read before a change must not be kept after it.
      if (seen && enabled && before === generation) responses.set(key, created);
      return created;
    },
    clear,
    enable: () => {
      enabled = true;
      clear();
    },
    disable: () => {
      enabled = false;
      clear();
    },
    size: () => ({ entries: responses.size, bytes: responses.calculatedSize }),
  };
}
