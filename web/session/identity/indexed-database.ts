import type { Store } from './persistence.ts';

const OBJECT_STORE = 'session';
const KEY = 'current';

function toPromise<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Keeps a value in IndexedDB. Each access opens and closes its connection, because an open one blocks other tabs from
 * deleting or upgrading the database.
 * @param factory may throw, as reading `window.indexedDB` may
 */
export function createIndexedDbStore(databaseName: string, factory: () => IDBFactory): Store {
  async function transact<Result>(
    mode: IDBTransactionMode,
    access: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    const opening = factory().open(databaseName, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(OBJECT_STORE);
    };
    const database = await toPromise(opening);
    try {
      const transaction = database.transaction(OBJECT_STORE, mode);
      const done = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      const [result] = await Promise.all([toPromise(access(transaction.objectStore(OBJECT_STORE))), done]);
      return result;
    } finally {
      database.close();
    }
  }

  return {
    name: 'IndexedDB',
    read: () => transact<unknown>('readonly', (store) => store.get(KEY)),
    async write(value) {
      await transact('readwrite', (store) => store.put(value, KEY));
    },
    async clear() {
      await transact('readwrite', (store) => store.delete(KEY));
    },
  };
}
