import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isBuyer } from '#contract/people/accounts.ts';
import { PROVIDER } from './identity/testing/environment.ts';
import { stubEmptyStores } from './identity/testing/stores.ts';
import { createSessionActions, type SessionActions } from './session-actions.ts';
import type { SessionAccess } from './session-state.ts';
import { createSessionStore, LOADING_TIMEOUT, type SessionStore } from './session-store.ts';
import { email, fakeIdentity, fakeShop } from './testing/fakes.ts';

let identity: ReturnType<typeof fakeIdentity>;
let shop: ReturnType<typeof fakeShop>;
let loaded: number;
let signInElsewhere: () => void;
let listening: boolean;
let stop = () => {};

async function load(access: SessionAccess): Promise<SessionActions> {
  loaded += 1;
  return createSessionActions(PROVIDER, access, identity.environment);
}

/** @param mayBeSignedIn whether an earlier visit may have stored a sign-in */
function open(mayBeSignedIn: boolean, loadActions = load): SessionStore {
  if (!mayBeSignedIn) stubEmptyStores();
  const store = createSessionStore(loadActions);
  stop = store.start();
  return store;
}

const expectStatus = (store: SessionStore, status: string) =>
  expect.poll(() => store.read().status).toBe(status);

beforeEach(() => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        listening = true;
      }
      addEventListener(_type: string, listener: (message: { data: unknown }) => void) {
        signInElsewhere = () => listener({ data: { kind: 'changed' } });
      }
      close() {
        listening = false;
      }
    },
  );
  shop = fakeShop();
  identity = fakeIdentity(shop);
  shop.records.set(email, { role: 'Buyer' });
  loaded = 0;
});

afterEach(() => stop());

test('is signed out without a stored sign-in, and loads nothing', async () => {
  const store = open(false);
  expect(store.read()).toEqual({ status: 'loading' });
  await expectStatus(store, 'signed-out');
  expect(loaded).toBe(0);
});

test('loads the actions when a sign-in may be stored', async () => {
  const store = open(true);
  await expect.poll(() => loaded).toBe(1);
  await identity.signInElsewhere();
  await expectStatus(store, 'signed-in');
  expect(loaded).toBe(1);
});

test('a sign-in loads the actions without a return to the loading state', async () => {
  const store = open(false);
  await expectStatus(store, 'signed-out');
  const seen: string[] = [];
  store.subscribe(() => seen.push(store.read().status));
  expect(await store.run((actions) => actions.signIn(email, 'Engine#1'))).toBe('welcome-back');
  expect(seen).toEqual(['signed-in']);
  store.signOut();
  await expectStatus(store, 'signed-out');
  expect(store.read()).toMatchObject({ byUser: true });
});

test('calls load the actions once', async () => {
  const store = open(false);
  shop.goodToken = /^$/;
  const call = () => store.client.call(isBuyer, { params: { email } });
  expect(await Promise.all([call(), call()])).toEqual([{ isBuyer: true }, { isBuyer: true }]);
  expect(loaded).toBe(1);
});

test('a loaded action starts synchronously within its click event', async () => {
  const store = open(false);
  await store.run(async () => undefined);
  void store.run((actions) => actions.signInWithGoogle());
  expect(identity.opened).toHaveLength(1);
  identity.completeGoogle();
  await expectStatus(store, 'signed-in');
});

test('follows a sign-in in another tab and stops listening once the actions are loaded', async () => {
  const store = open(false);
  await expectStatus(store, 'signed-out');
  signInElsewhere();
  await expect.poll(() => loaded).toBe(1);
  await identity.signInElsewhere();
  await expectStatus(store, 'signed-in');
  expect(listening).toBe(false);
});

test('tells nobody of an equal session, and the lookup changes nothing once the session is known', async () => {
  const known = { status: 'signed-out', byUser: false, reason: 'This account is disabled.' } as const;
  let access: SessionAccess | undefined;
  const store = open(true, (given) => {
    access = given;
    given.set(known);
    return load(given);
  });
  await expectStatus(store, 'signed-out');
  const listener = vi.fn();
  store.subscribe(listener);
  access?.set({ ...known });
  expect(listener).not.toHaveBeenCalled();
  expect(store.read()).toBe(known);
});

test('fails when the actions cannot be loaded, and loads them again on retry', async () => {
  const store = open(true, (access) =>
    loaded === 0 ? Promise.reject(new Error('offline')).finally(() => loaded++) : load(access),
  );
  await expectStatus(store, 'failed');
  expect(store.read()).toMatchObject({ message: expect.stringContaining('cannot be reached') });
  store.retry();
  await expect.poll(() => loaded).toBe(2);
  await identity.signInElsewhere();
  await expectStatus(store, 'signed-in');
});

test('fails after the time limit', async () => {
  vi.useFakeTimers();
  try {
    const store = open(true, () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(LOADING_TIMEOUT - 1);
    expect(store.read().status).toBe('loading');
    await vi.advanceTimersByTimeAsync(1);
    expect(store.read()).toMatchObject({ status: 'failed', message: expect.stringContaining('too long') });
  } finally {
    vi.useRealTimers();
  }
});
