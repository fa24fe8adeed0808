import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserEnvironment } from './browser.ts';
import { systemClock } from './environment.ts';
import { createPersistence, memoryStore, STORE_LIMIT, type Store, webStore } from './persistence.ts';
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
  it('is kept in the first store and nowhere else', async () => {
    const stores = [memoryStore(), memoryStore(), memoryStore()];
    const persistence = createPersistence(stores, systemClock);
    await stores[2]?.write('older');
    await persistence.save(session);
    expect(await Promise.all(stores.map((store) => store.read()))).toEqual([session, null, null]);
    expect(await persistence.load()).toEqual(session);
  });

  it.each([
    ['the second when the first is denied', [denied('IndexedDB'), memoryStore()], 1],
    ['the third when two are denied', [denied('IndexedDB'), denied('local'), memoryStore()], 2],
  ])('is kept in %s', async (_name, stores, place) => {
    const persistence = createPersistence(stores, systemClock);
    await persistence.save(session);
    expect(await stores[place]?.read()).toEqual(session);
    expect(await createPersistence(stores, systemClock).load()).toEqual(session);
  });

  it('lasts as long as the page when nothing can be stored', async () => {
    const persistence = createPersistence(
      [denied('IndexedDB'), denied('local'), denied('session')],
      systemClock,
    );
    await persistence.save(session);
    expect(await persistence.load()).toEqual(session);
    await persistence.forget();
    expect(await persistence.load()).toBeNull();
  });

  it('that an earlier visit left in a lesser store is moved', async () => {
    const [first, second] = [memoryStore(), memoryStore()];
    await second.write(session);
    expect(await createPersistence([first, second], systemClock).load()).toEqual(session);
    expect(await first.read()).toEqual(session);
    expect(await second.read()).toBeNull();
  });

  it('is forgotten everywhere', async () => {
    const stores = [memoryStore(), memoryStore()];
    for (const store of stores) await store.write(session);
    await createPersistence(stores, systemClock).forget();
    expect(await Promise.all(stores.map((store) => store.read()))).toEqual([null, null]);
  });
});

describe('a store that never answers', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is passed over after its time limit, and costs no more time after that', async () => {
    const second = memoryStore();
    const persistence = createPersistence([hanging('IndexedDB'), second], systemClock);
    const loading = persistence.load();
    await vi.advanceTimersByTimeAsync(STORE_LIMIT);
    expect(await loading).toBeNull();
    await persistence.save(session);
    expect(await second.read()).toEqual(session);
  });
});

describe('local and session storage', () => {
  it('keep a value as text and take rubbish for nothing', async () => {
    const storage = fakeStorage();
    const store = webStore('local storage', 'key', () => storage);
    await store.write({ a: 1 });
    expect(storage.getItem('key')).toBe('{"a":1}');
    expect(await store.read()).toEqual({ a: 1 });
    storage.setItem('key', '{"a":');
    expect(await store.read()).toBeUndefined();
    await store.clear();
    expect(storage.getItem('key')).toBeNull();
  });

  it('may be denied as a whole', async () => {
    const store = webStore('local storage', 'key', () => {
      throw new Error('SecurityError');
    });
    const persistence = createPersistence([store], systemClock);
    await persistence.save(session);
    expect(await persistence.load()).toEqual(session);
  });
});

it('the browser prefers IndexedDB, then local, then session storage', () => {
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' } });
  expect(browserEnvironment().stores.map(({ name }) => name)).toEqual([
    'IndexedDB',
    'local storage',
    'session storage',
  ]);
});
