import { createStore, del, get, set } from 'idb-keyval';
import { parseJson } from '#contract/json.ts';

/** Name of the stored sign-in in every store, and of the tabs' BroadcastChannel. */
export const STORAGE_NAME = 'coomercioIdentity';

/** Milliseconds to wait for a store: IndexedDB hangs in some browsers. */
export const STORE_TIMEOUT = 2_000;

/** A store of one value. Any method may throw or never settle. */
export interface Store {
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
  clear(): Promise<void>;
}

/** Keeps a value in memory until the page is closed. */
export function createMemoryStore(): Store {
  let stored: unknown = null;
  return {
    read: async () => stored,
    async write(value) {
      stored = value;
    },
    async clear() {
      stored = null;
    },
  };
}

function createIndexedDbStore(): Store {
  const database = createStore(STORAGE_NAME, 'session');
  return {
    read: () => get<unknown>('current', database),
    write: (value) => set('current', value, database),
    clear: () => del('current', database),
  };
}

/** Keeps a value in local or session storage. @param open may throw, as reading `window.localStorage` may */
export function createWebStore(open: () => Storage): Store {
  return {
    read: async () => parseJson(open().getItem(STORAGE_NAME) ?? 'null'),
    write: async (value) => open().setItem(STORAGE_NAME, JSON.stringify(value)),
    clear: async () => open().removeItem(STORAGE_NAME),
  };
}

/** The browser's stores for the sign-in, the preferred one first. */
export const browserStores: readonly Store[] = [
  createIndexedDbStore(),
  createWebStore(() => localStorage),
  createWebStore(() => sessionStorage),
];

/** Accesses a store. @throws Error also when the store does not answer in time */
export function accessStore<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The store does not answer.')), STORE_TIMEOUT);
    (async () => work())()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/**
 * Whether this browser may have a stored sign-in. False only when there is none. Then a first visit does not
 * load the identity client.
 */
export async function mightBeSignedIn(stores = browserStores): Promise<boolean> {
  try {
    const values = await Promise.all(stores.map((store) => accessStore(store.read)));
    return values.some((value) => value !== undefined && value !== null);
  } catch {
    // A store that cannot be read may contain one.
    return true;
  }
}

/** Opens the channel between the shop's tabs of this browser. */
export function openTabChannel(
  onMessage: (message: unknown) => void,
): Pick<BroadcastChannel, 'postMessage' | 'close'> {
  try {
    const channel = new BroadcastChannel(STORAGE_NAME);
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data));
    return channel;
  } catch {
    // Browsers that forbid storage may forbid the channel too.
    return { postMessage: () => {}, close: () => {} };
  }
}
