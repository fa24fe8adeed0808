import type { BrowserContext } from '@playwright/test';
import { createIdentityClient } from '#web/session/identity/client.ts';
import { createDeviceTokenSource } from '#web/session/identity/device-token.ts';
import type { Environment } from '#web/session/identity/environment.ts';
import { createWebStore } from '#web/session/identity/persistence.ts';
import { STORAGE_NAME } from '#web/session/identity/stored-sign-in.ts';
import {
  createSessionActions,
  type SessionActions,
  type SignInOutcome,
} from '#web/session/session-actions.ts';
import { initialState, reduce } from '#web/session/session-state.ts';

/** The session of a signed-in user, without a page. */
export interface BrowserSession extends Pick<SessionActions, 'client' | 'token'> {
  /** Signs a browser context in. Its pages are opened at the shop afterwards; cookies and storage are replaced. */
  signIn(context: BrowserContext): Promise<void>;
}

function createStorage(): { storage: Storage; items: ReadonlyMap<string, string> } {
  const items = new Map<string, string>();
  const storage: Storage = {
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
  return { storage, items };
}

const withLock: Environment['withLock'] = (_name, work) => work();

const refusePasskey = () => Promise.reject(new Error('There are no passkeys without a browser.'));

/**
 * Starts a session with the web client's own code, run outside a browser. What the code stores is what a browser needs
 * to be signed in.
 * @param enter registers the user or signs the user in
 * @throws Error when that does not complete
 */
export async function openBrowserSession(
  origin: string,
  enter: (actions: SessionActions) => Promise<SignInOutcome>,
): Promise<BrowserSession> {
  const { storage, items } = createStorage();
  const createRandomHex = () => crypto.randomUUID().replaceAll('-', '');
  const environment: Environment = {
    fetch,
    stores: [createWebStore('local storage', STORAGE_NAME, () => storage)],
    tabs: { announce: () => {}, listen: () => () => {} },
    withLock,
    origin,
    openWindow: () => null,
    windowBounds: () => ({ left: 0, top: 0, width: 0, height: 0 }),
    onMessage: () => () => {},
    passkeys: { create: refusePasskey, get: refusePasskey },
    createRandomHex,
    deviceToken: createDeviceTokenSource(() => storage, createRandomHex),
  };
  let state = initialState;
  const actions = createSessionActions({
    access: {
      state: () => state,
      dispatch: (event) => {
        state = reduce(state, event);
      },
    },
    createIdentity: (onChange) => createIdentityClient(`${origin}/identity`, environment, onChange),
    fetch: (url, init) => fetch(new URL(url, origin), init),
    storage: () => storage,
    withLock,
  });
  const outcome = await enter(actions);
  if (state.session.status !== 'signed-in') throw new Error(`The sign-in ended as ${outcome}.`);
  return {
    client: actions.client,
    token: actions.token,
    signIn: (context) => {
      const localStorage = [...items].map(([name, value]) => ({ name, value }));
      return context.setStorageState({ cookies: [], origins: [{ origin, localStorage }] });
    },
  };
}
