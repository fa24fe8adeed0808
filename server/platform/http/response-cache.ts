import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { parseJson } from '#contract/platform/json.ts';
import type { CacheDependencies } from './cache-dependencies.ts';
import type { CachedResponse } from './cached-response.ts';
import { createChangeLog } from './change-log.ts';
import { type ContentEncoding, compress } from './content-encoding.ts';

/** A response, and the data that it shows; null if it must not be cached. */
export interface Created {
  response: CachedResponse;
  dependencies: CacheDependencies | null;
}

/** The maximum size of the cache in bytes, including keys and overhead. */
export const MAXIMUM_CACHE_BYTES = 12 * 1024 * 1024;

/** The overhead per entry and per tag in bytes, estimated rather too high. */
const ENTRY_BYTES = 512;

/** The maximum number of requested keys that are remembered, to recognize the second request of a key. */
const MAXIMUM_SEEN_KEYS = 2_000;

/** The maximum length of a key in characters. Responses of longer ones are not cached. */
const MAXIMUM_KEY_LENGTH = 500;

/** Shorter responses fit into one network packet in any case, and can grow by compression. */
const MINIMUM_COMPRESSED_BYTES = 512;

/** A response that is in the cache. */
export interface Cached extends Created {
  dependencies: CacheDependencies;
}

/**
 * An LRU cache of responses that show the catalogue, limited in bytes. It is enabled only while this process is notified of
 * every change (see `database/notification-listener.ts`). A change removes the responses that show what has changed. Keys
 * are made from parsed input, so that all URLs of a response share an entry.
 */
export type ResponseCache = ReturnType<typeof createResponseCache>;

const sizeOf = ({ response: { body, headers, encoded }, dependencies }: Cached, key: string): number =>
  Object.values(encoded).reduce((sum, { byteLength }) => sum + byteLength, body.byteLength) +
  Object.values(headers).reduce((sum, value) => sum + 2 * value.length, 0) +
  2 * key.length +
  ENTRY_BYTES * (1 + dependencies.tags.length);

const Tags = z.array(z.string());

/** Parses the text of a notification. @returns null when anything may have changed */
function parseTags(text: string): readonly string[] | null {
  return z.safeParse(Tags, parseJson(text)).data ?? null;
}

export function createResponseCache() {
  const changes = createChangeLog();
  const keysByTag = new Map<string, Set<string>>();
  const seenKeys = new LRUCache<string, true>({ max: MAXIMUM_SEEN_KEYS });
  const running = new Map<string, { since: number; creation: Promise<Created> }>();
  /** Null while notifications may be missed. Nothing is cached then. */
  let receivedChanges: (() => Promise<void>) | null = null;

  const entries = new LRUCache<string, Cached>({
    maxSize: MAXIMUM_CACHE_BYTES,
    sizeCalculation: sizeOf,
    onInsert: ({ dependencies }, key) => {
      for (const tag of dependencies.tags) {
        const keys = keysByTag.get(tag);
        if (keys === undefined) keysByTag.set(tag, new Set([key]));
        else keys.add(key);
      }
    },
    dispose: ({ dependencies }, key) => {
      for (const tag of dependencies.tags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
  });

  function find(key: string): Cached | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry.dependencies.until === null || Date.now() < entry.dependencies.until)
      return entry;
    entries.delete(key);
    return undefined;
  }

  /** Removes the responses that show something. @param tags what has changed; null for everything */
  function forget(tags: readonly string[] | null): void {
    changes.add(tags);
    if (tags === null) {
      entries.clear();
      return;
    }
    for (const tag of tags) for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key);
  }

  return {
    get: (key: string): Cached | undefined => find(key),
    /**
     * Returns the cached response, or creates one. It is cached from the second request of its key on, unless something that
     * it shows has changed meanwhile: a client that reads a long list once must not evict popular responses. Concurrent
     * requests share one creation.
     */
    getOrCreate: async (key: string, create: () => Promise<Created>): Promise<Created> => {
      const found = find(key);
      if (found !== undefined) return found;
      const since = changes.now();
      const shared = running.get(key);
      // One that began before a change can show what the requests after it must not see any more.
      if (shared?.since === since) {
        const created = await shared.creation.catch(() => null);
        // It can have failed for a reason of the other request, such as a limit.
        if (created !== null && created.dependencies !== null) return created;
      }
      const creation = create();
      const run = { since, creation };
      running.set(key, run);
      let created: Created;
      try {
        created = await creation;
      } finally {
        if (running.get(key) === run) running.delete(key);
      }
      const { response, dependencies } = created;
      if (dependencies === null || key.length > MAXIMUM_KEY_LENGTH) return created;
      if (!seenKeys.has(key)) seenKeys.set(key, true);
      else if (receivedChanges !== null && !changes.haveTouched(dependencies.tags, since)) {
        entries.set(key, { response, dependencies });
      }
      return created;
    },
    /** Compresses a response, and keeps the bytes with a cached one. @returns null to send the uncompressed bytes */
    encode: (key: string, response: CachedResponse, encoding: ContentEncoding): Buffer | null => {
      const { body, encoded } = response;
      if (body.byteLength < MINIMUM_COMPRESSED_BYTES) return null;
      const known = encoded[encoding];
      if (known !== undefined) return known;
      const bytes = compress(body, encoding);
      if (bytes.byteLength >= body.byteLength) return null;
      const entry = entries.peek(key);
      if (entry?.response === response) {
        entries.set(key, { ...entry, response: { ...response, encoded: { ...encoded, [encoding]: bytes } } });
      }
      return bytes;
    },
    /** Removes what shows something that changed. @param notifications texts of `catalogue_changed` */
    forgetNotified: (notifications: readonly string[]): void => {
      for (const text of notifications) forget(parseTags(text));
    },
    /**
     * Enables and clears the cache. Called when notifications of changes arrive.
     * @param received resolves when the notifications of all changes that this process has committed have arrived
     */
    enable: (received: () => Promise<void>): void => {
      receivedChanges = received;
      forget(null);
    },
    /** Disables and clears the cache until `enable`. Called when notifications may be missed. */
    disable: (): void => {
      receivedChanges = null;
      forget(null);
    },
    /** Waits until no response shows what a transaction of this process has changed. Called after its commit. */
    waitForInvalidation: async (): Promise<void> => {
      await receivedChanges?.();
    },
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize }),
  };
}
