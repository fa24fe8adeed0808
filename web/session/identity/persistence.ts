import { del, get, set } from 'idb-keyval';
import { parseJson } from '#contract/platform/json.ts';
import { withTimeout } from '../../requests/with-timeout.ts';
import { DATABASE_KEY, database, STORAGE_NAME, STORE_TIMEOUT } from './sign-in-lookup.ts';
import { StoredSession } from './stored-session.ts';

/** A store of one value. Any method may throw or never settle. */
export interface Store {
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
  clear(): Promise<void>;
}

/** Keeps a value until the page is closed. */
export function createMemoryStore(): Store {
  let stored: unknown = null;
  const write = async (value: unknown) => {
    stored = value;
  };
  return { read: async () => stored, write, clear: () => write(null) };
}

/** Keeps a value in local or session storage. @param open may throw, as reading `window.localStorage` may */
export function createWebStore(open: () => Storage): Store {
  return {
    read: async () => parseJson(open().getItem(STORAGE_NAME) ?? 'null'),
    write: async (value) => open().setItem(STORAGE_NAME, JSON.stringify(value)),
    clear: async () => open().removeItem(STORAGE_NAME),
  };
}

/** The browser's stores for the sign-in, in the specification's order of preference. */
export const browserStores: readonly Store[] = [
  {
    read: () => get<unknown>(DATABASE_KEY, database),
    write: (value) => set(DATABASE_KEY, value, database),
    clear: () => del(DATABASE_KEY, database),
  },
  createWebStore(() => localStorage),
  createWebStore(() => sessionStorage),
];

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
      return { value: await withTimeout(STORE_TIMEOUT, work()) };
    } catch {
      usableStores = usableStores.filter((other) => other !== store);
      return null;
    }
  }

  /** Writes to the first store that accepts it, and clears the others. */
  async function save(session: StoredSession): Promise<void> {
    let isSaved = false;
    for (const store of usableStores) {
      if (isSaved) await access(store, store.clear);
      else isSaved = (await access(store, () => store.write(session))) !== null;
    }
  }

  return {
    save,
    async load(): Promise<StoredSession | null> {
      for (const [position, store] of usableStores.entries()) {
        const stored = StoredSession.safeParse((await access(store, store.read))?.value);
        if (!stored.success) continue;
        if (position > 0) await save(stored.data);
        return stored.data;
      }
      return null;
    },
    async clear(): Promise<void> {
      // Failed stores too: their value would be restored on the next visit.
      for (const store of allStores) await access(store, store.clear);
    },
  };
}
