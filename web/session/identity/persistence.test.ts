import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserEnvironment } from './browser.ts';
import {
  createMemoryStore,
  createPersistence,
  createWebStore,
  STORE_TIMEOUT,
  type Store,
} from './persistence.ts';
import { ann, idToken } from './testing/environment.ts';
import type { StoredSession } from './user.ts';

const session: StoredSession = {
  version: 1,
  sessionToken: 'session',
  signedInAt: 1,
  idToken: idToken(),
  expiresAt: 2,
  lifetime: 3_600_000,
  profile: ann,
};

const denied = (name: string): Store => {
  const refuse = () => Promise.reject(new Error('SecurityError'));
  return { name, read: refuse, write: refuse, clear: refuse };
};
const hanging = (name: string): Store => {
  const hang = () => new Promise<never>(() => {});
  return { name, read: hang, write: hang, clear: hang };
};

/** A Storage as browsers have it, as far as it is used. */
function fakeStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      items.set(key, value);
    },
    removeItem: (key) => {
      items.delete(key);
    },
  };
}

describe('a sign-in', () => {
  it('is stored in the first store only', async () => {
    const stores = [createMemoryStore(), createMemoryStore(), createMemoryStore()];
    const persistence = createPersistence(stores);
    await stores[2]?.write('older');
    await persistence.save(session);
    expect(await Promise.all(stores.map((store) => store.read()))).toEqual([session, null, null]);
    expect(await persistence.load()).toEqual(session);
  });

  it.each([
    ['the second when the first is denied', [denied('IndexedDB'), createMemoryStore()], 1],
    ['the third when two are denied', [denied('IndexedDB'), denied('local'), createMemoryStore()], 2],
  ])('is kept in %s', async (_name, stores, place) => {
    const persistence = createPersistence(stores);
    await persistence.save(session);
    expect(await stores[place]?.read()).toEqual(session);
    expect(await createPersistence(stores).load()).toEqual(session);
  });

  it('is kept in memory when every store fails', async () => {
    const persistence = createPersistence([denied('IndexedDB'), denied('local'), denied('session')]);
    await persistence.save(session);
    expect(await persistence.load()).toEqual(session);
    await persistence.clear();
    expect(await persistence.load()).toBeNull();
  });

  it('is moved from a less preferred store', async () => {
    const [first, second] = [createMemoryStore(), createMemoryStore()];
    await second.write(session);
    expect(await createPersistence([first, second]).load()).toEqual(session);
    expect(await first.read()).toEqual(session);
    expect(await second.read()).toBeNull();
  });

  it('is cleared in every store', async () => {
    const stores = [createMemoryStore(), createMemoryStore()];
    for (const store of stores) await store.write(session);
    await createPersistence(stores).clear();
    expect(await Promise.all(stores.map((store) => store.read()))).toEqual([null, null]);
  });
});

describe('a store that hangs', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is skipped after its time limit and not used again', async () => {
    const second = createMemoryStore();
    const persistence = createPersistence([hanging('IndexedDB'), second]);
    const loading = persistence.load();
    await vi.advanceTimersByTimeAsync(STORE_TIMEOUT);
    expect(await loading).toBeNull();
    await persistence.save(session);
    expect(await second.read()).toEqual(session);
  });
});

describe('local and session storage', () => {
  it('keep a value as JSON and read invalid JSON as undefined', async () => {
    const storage = fakeStorage();
    const store = createWebStore('local storage', 'key', () => storage);
    await store.write({ a: 1 });
    expect(storage.getItem('key')).toBe('{"a":1}');
    expect(await store.read()).toEqual({ a: 1 });
    storage.setItem('key', '{"a":');
    expect(await store.read()).toBeUndefined();
    await store.clear();
    expect(storage.getItem('key')).toBeNull();
  });

  it('may be forbidden entirely', async () => {
    const store = createWebStore('local storage', 'key', () => {
      throw new Error('SecurityError');
    });
    const persistence = createPersistence([store]);
    await persistence.save(session);
    expect(await persistence.load()).toEqual(session);
  });
});

it('prefers IndexedDB, then local storage, then session storage', () => {
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' } });
  expect(browserEnvironment().stores.map(({ name }) => name)).toEqual([
    'IndexedDB',
    'local storage',
    'session storage',
  ]);
});
