import { parseJson } from '#contract/json.ts';
import { withTimeout } from './timeout.ts';
import { StoredSession } from './user.ts';

/** Milliseconds to wait for a store: IndexedDB hangs in some browsers. */
export const STORE_TIMEOUT = 2_000;

/** A store of one value. Any method may throw or never settle. */
export interface Store {
  readonly name: string;
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
  clear(): Promise<void>;
}

/** Keeps a value in memory until the page is closed. */
export function createMemoryStore(): Store {
  let stored: unknown = null;
  return {
    name: 'memory',
    read: async () => stored,
    async write(value) {
      stored = value;
    },
    async clear() {
      stored = null;
    },
  };
}

/** Keeps a value in local or session storage. @param open may throw, as reading `window.localStorage` may */
export function createWebStore(name: string, key: string, open: () => Storage): Store {
  return {
    name,
    async read() {
      const text = open().getItem(key);
      return text === null ? null : parseJson(text);
    },
    async write(value) {
      open().setItem(key, JSON.stringify(value));
    },
    async clear() {
      open().removeItem(key);
    },
  };
}

/**
 * Keeps the sign-in in the first store that works, or in the next one after it fails. A sign-in that an earlier visit
 * left in another store is moved. No method throws.
 */
export function createPersistence(stores: readonly Store[]) {
  const allStores = [...stores, createMemoryStore()];
  let usableStores = allStores;

  /** Accesses a store. A store that fails once is not used again, so that it causes no further delay. */
  async function access(store: Store, work: () => Promise<unknown>): Promise<{ value: unknown } | null> {
    try {
      const failure = () => new Error(`${store.name} does not answer.`);
      return { value: await withTimeout(STORE_TIMEOUT, (async () => work())(), failure) };
    } catch {
      usableStores = usableStores.filter((other) => other !== store);
      return null;
    }
  }

  /** Writes to the first store that accepts it, and clears the others. */
  async function save(session: StoredSession): Promise<void> {
    let isSaved = false;
    for (const store of usableStores) {
      if (isSaved) await access(store, () => store.clear());
      else isSaved = (await access(store, () => store.write(session))) !== null;
    }
  }

  return {
    save,
    async load(): Promise<StoredSession | null> {
      for (const [position, store] of usableStores.entries()) {
        const stored = StoredSession.safeParse((await access(store, () => store.read()))?.value);
        if (!stored.success) continue;
        if (position > 0) await save(stored.data);
        return stored.data;
      }
      return null;
    },
    async clear(): Promise<void> {
      // Failed stores too: their value would be restored on the next visit.
      for (const store of allStores) await access(store, () => store.clear());
    },
  };
}
