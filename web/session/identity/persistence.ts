import { STORE_TIMEOUT } from './sign-in-lookup.ts';
import { StoredSession } from './stored-session.ts';
import { createMemoryStore, type Store } from './stores.ts';

/** Accesses a store. @throws Error also when the store does not answer in time */
function accessStore<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The store does not answer.')), STORE_TIMEOUT);
    (async () => work())()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
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
      return { value: await accessStore(work) };
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
