import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isBuyer } from '#contract/accounts.ts';
import { tabLock } from './identity/testing/environment.ts';
import { createLateStore, LOADING_LIMIT } from './late-store.ts';
import { createSessionStore, type SessionStore } from './store.ts';
import { email, fakeIdentity, fakeShop, fakeStorage } from './store-surroundings.ts';

let identity: ReturnType<typeof fakeIdentity>;
let shop: ReturnType<typeof fakeShop>;
let loaded: number;
let news: () => void;
let listening: boolean;
let stop = () => {};

async function load(): Promise<SessionStore> {
  loaded += 1;
  return createSessionStore({
    identity: identity.client,
    fetch: (url, init) => shop.fetch(url, init),
    storage: fakeStorage,
    withLock: tabLock(),
  });
}

/** @param traces whether an earlier visit has left something */
function open(traces: boolean, fetchStore = load): SessionStore {
  const store = createLateStore({
    load: fetchStore,
    mayHoldSignIn: async () => traces,
    onNews(listener) {
      news = listener;
      listening = true;
      return () => {
        listening = false;
      };
    },
  });
  stop = store.start();
  return store;
}

const becomes = (store: SessionStore, status: string) => expect.poll(() => store.read().status).toBe(status);

beforeEach(() => {
  identity = fakeIdentity();
  shop = fakeShop();
  shop.records.set(email, { role: 'Buyer' });
  loaded = 0;
});

afterEach(() => stop());

test('who has left no sign-in here is signed out, and nothing is fetched for them', async () => {
  const store = open(false);
  expect(store.read()).toEqual({ status: 'loading' });
  await becomes(store, 'signed-out');
  expect(loaded).toBe(0);
});

test('who may have left one is looked after', async () => {
  const store = open(true);
  identity.publish(identity.userNamed('Ada'));
  await becomes(store, 'signed-in');
  expect(loaded).toBe(1);
});

test('signing in fetches the store, and the page does not go back to not knowing meanwhile', async () => {
  const store = open(false);
  await becomes(store, 'signed-out');
  const seen: string[] = [];
  store.subscribe(() => seen.push(store.read().status));
  expect(await store.signIn(email, 'Engine#1')).toBe('welcome-back');
  expect(seen).toEqual(['signed-in']);
  store.signOut();
  expect(store.read()).toMatchObject({ status: 'signed-out', left: true });
});

test('a call fetches it too, once', async () => {
  const store = open(false);
  shop.goodToken = /^$/;
  const call = () => store.client.call(isBuyer, { params: { email } });
  expect(await Promise.all([call(), call()])).toEqual([{ isBuyer: true }, { isBuyer: true }]);
  expect(loaded).toBe(1);
});

test('once it is there, an action begins in the turn of its click', async () => {
  const store = open(false);
  await store.identity();
  void store.signInWithGoogle();
  expect(identity.calls).toEqual(['google']);
  await becomes(store, 'signed-in');
});

test('a sign-in in another tab is followed, and listened for no longer than needed', async () => {
  const store = open(false);
  await becomes(store, 'signed-out');
  identity.publish(identity.userNamed('Ada'));
  news();
  await becomes(store, 'signed-in');
  expect(listening).toBe(false);
});

test('what cannot be fetched is said, and fetched again on retry', async () => {
  const store = open(true, () =>
    loaded === 0 ? Promise.reject(new Error('offline')).finally(() => loaded++) : load(),
  );
  await becomes(store, 'failed');
  expect(store.read()).toMatchObject({ message: expect.stringContaining('cannot be reached') });
  identity.publish(identity.userNamed('Ada'));
  store.retry();
  await becomes(store, 'signed-in');
});

test('a page that cannot learn who is signed in says so and stops waiting', async () => {
  vi.useFakeTimers();
  try {
    const store = open(true);
    await vi.advanceTimersByTimeAsync(LOADING_LIMIT - 1);
    expect(store.read().status).toBe('loading');
    await vi.advanceTimersByTimeAsync(1);
    expect(store.read()).toMatchObject({ status: 'failed', message: expect.stringContaining('too long') });
  } finally {
    vi.useRealTimers();
  }
});
