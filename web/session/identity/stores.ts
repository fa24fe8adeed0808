import { del, get, set } from 'idb-keyval';
import { parseJson } from '#contract/json.ts';
import { DATABASE_KEY, database, STORAGE_NAME } from './sign-in-lookup.ts';

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
  {
    read: () => get<unknown>(DATABASE_KEY, database),
    write: (value) => set(DATABASE_KEY, value, database),
    clear: () => del(DATABASE_KEY, database),
  },
  createWebStore(() => localStorage),
  createWebStore(() => sessionStorage),
];
