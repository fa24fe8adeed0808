import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  browserStores,
  createMemoryStore,
  createPersistence,
  createWebStore,
  type Store,
} from './persistence.ts';
import { mightBeSignedIn, STORAGE_NAME, STORE_TIMEOUT } from './sign-in-lookup.ts';
import type { StoredSession } from './stored-session.ts';
import { ann, fakeStorage, idToken } from './testing/environment.ts';
import { fakeRequest } from './testing/stores.ts';

const session: StoredSession = {
  version: 1,
  sessionToken: 'session',
  signedInAt: 1,
  idToken: idToken(),
  expiresAt: 2,
  lifetime: 3_600_000,
  profile: ann,
  shopToken: null,
  isExchanged: false,
};

const denied = (): Store => {
  const refuse = () => Promise.reject(new Error('SecurityError'));
  return { read: refuse, write: refuse, clear: refuse };
};
const hanging = (): Store => {
  const hang = () => new Promise<never>(() => {});
  return { read: hang, write: hang, clear: hang };
};

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
    ['the second when the first is denied', [denied(), createMemoryStore()], 1],
    ['the third when two are denied', [denied(), denied(), createMemoryStore()], 2],
  ])('is kept in %s', async (_name, stores, place) => {
    const persistence = createPersistence(stores);
    await persistence.save(session);
    expect(await stores[place]?.read()).toEqual(session);
    expect(await createPersistence(stores).load()).toEqual(session);
  });

  it('is kept in memory when every store fails', async () => {
    const persistence = createPersistence([denied(), denied(), denied()]);
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
    const persistence = createPersistence([hanging(), second]);
    const loading = persistence.load();
    await vi.advanceTimersByTimeAsync(STORE_TIMEOUT);
    expect(await loading).toBeNull();
    await persistence.save(session);
    expect(await second.read()).toEqual(session);
  });
});

describe('local and session storage', () => {
  it('keep a value as JSON and read invalid JSON as undefined', async () => {
    const { storage } = fakeStorage();
    const store = createWebStore(() => storage);
    await store.write({ a: 1 });
    expect(storage.getItem(STORAGE_NAME)).toBe('{"a":1}');
    expect(await store.read()).toEqual({ a: 1 });
    storage.setItem(STORAGE_NAME, '{"a":');
    expect(await store.read()).toBeUndefined();
    await store.clear();
    expect(storage.getItem(STORAGE_NAME)).toBeNull();
  });

  it('may be forbidden entirely', async () => {
    const store = createWebStore(() => {
      throw new Error('SecurityError');
    });
    const persistence = createPersistence([store]);
    await persistence.save(session);
    expect(await persistence.load()).toEqual(session);
  });
});

describe('the browser’s stores', () => {
  /** Stubs the browser's storage. @param refuse the names of stores that refuse access */
  function stubStorage(...refuse: string[]) {
    const [local, session] = [fakeStorage(), fakeStorage()];
    const asked: string[] = [];
    const open = (name: string, storage: unknown) => () => {
      asked.push(name);
      if (refuse.includes(name)) throw new Error('SecurityError');
      return storage;
    };
    vi.stubGlobal('indexedDB', { open: open('indexedDB', null) });
    for (const [name, { storage }] of Object.entries({ localStorage: local, sessionStorage: session })) {
      Object.defineProperty(globalThis, name, { configurable: true, get: open(name, storage) });
    }
    return { local, session, asked };
  }

  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(globalThis, 'localStorage');
    Reflect.deleteProperty(globalThis, 'sessionStorage');
  });

  it('are preferred in the order IndexedDB, local storage, session storage', async () => {
    const { asked, session: sessionItems } = stubStorage('indexedDB', 'localStorage');
    await createPersistence(browserStores).save(session);
    expect(asked).toEqual(['indexedDB', 'localStorage', 'sessionStorage']);
    expect(sessionItems.items.has(STORAGE_NAME)).toBe(true);
  });

  it('may hold a sign-in when one of them does, or cannot be read', async () => {
    const { local } = stubStorage('indexedDB');
    expect(await mightBeSignedIn()).toBe(true);
    let stored: unknown;
    vi.stubGlobal('indexedDB', { open: () => fakeRequest(fakeDatabase) });
    const fakeDatabase = {
      transaction: () => ({ objectStore: () => ({ get: () => fakeRequest(stored) }) }),
    };
    expect(await mightBeSignedIn()).toBe(false);
    stored = session;
    expect(await mightBeSignedIn()).toBe(true);
    stored = undefined;
    local.storage.setItem(STORAGE_NAME, JSON.stringify(session));
    expect(await mightBeSignedIn()).toBe(true);
  });
});
