import { parseJson } from '#contract/json.ts';
import { type Clock, within } from './environment.ts';
import { StoredSession } from './user.ts';

/** How long one access to a store may take, in milliseconds: some browsers let IndexedDB hang. */
export const STORE_LIMIT = 2_000;

/** A place that keeps one value; any method may throw or never end. */
export interface Store {
  readonly name: string;
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
  clear(): Promise<void>;
}

/** Where the sign-in of this device is kept. None of its methods throws. */
export interface Persistence {
  load(): Promise<StoredSession | null>;
  save(session: StoredSession): Promise<void>;
  forget(): Promise<void>;
}

/** Keeps a value as long as the page lives. */
export function memoryStore(): Store {
  let kept: unknown = null;
  return {
    name: 'memory',
    read: async () => kept,
    async write(value) {
      kept = value;
    },
    async clear() {
      kept = null;
    },
  };
}

/** Keeps a value in local or session storage. @param open may throw, as reading `window.localStorage` may */
export function webStore(name: string, key: string, open: () => Storage): Store {
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
 * Keeps the sign-in in the first store that works, and in the next one should that one fail later. A sign-in
 * that an earlier visit left in another store is found and moved.
 */
export function createPersistence(stores: readonly Store[], clock: Clock): Persistence {
  const all = [...stores, memoryStore()];
  let candidates = all;

  /** One access to a store; a store that fails once is left alone from then on, so that it costs no more time. */
  async function attempt(store: Store, work: () => Promise<unknown>): Promise<{ value: unknown } | null> {
    try {
      const failure = () => new Error(`${store.name} does not answer.`);
      return { value: await within(clock, STORE_LIMIT, (async () => work())(), failure) };
    } catch {
      candidates = candidates.filter((candidate) => candidate !== store);
      return null;
    }
  }

  /** Writes to the first store that takes it, and leaves nothing older behind in the others. */
  async function save(session: StoredSession): Promise<void> {
    let kept = false;
    for (const store of candidates) {
      if (kept) await attempt(store, () => store.clear());
      else kept = (await attempt(store, () => store.write(session))) !== null;
    }
  }

  return {
    save,
    async load() {
      for (const [place, store] of candidates.entries()) {
        const found = StoredSession.safeParse((await attempt(store, () => store.read()))?.value);
        if (!found.success) continue;
        if (place > 0) await save(found.data);
        return found.data;
      }
      return null;
    },
    async forget() {
      // Also those that failed: what they kept would come back with the next visit.
      for (const store of all) await attempt(store, () => store.clear());
    },
  };
}
