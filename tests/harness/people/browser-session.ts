import type { BrowserContext } from '@playwright/test';
import type { Environment } from '#web/session/identity/environment.ts';
import { createWebStore } from '#web/session/identity/persistence.ts';
import { fakeStorage } from '#web/session/identity/testing/environment.ts';
import {
  createSessionActions,
  type SessionActions,
  type SignInOutcome,
} from '#web/session/session-actions.ts';
import type { Session } from '#web/session/session-state.ts';
import { loadingSession } from '#web/session/session-store.ts';

/** The session of a signed-in user, without a page. */
export interface BrowserSession extends Pick<SessionActions, 'client' | 'token'> {
  /** Signs a browser context in. Its pages are opened at the shop afterwards; cookies and storage are replaced. */
  signIn(context: BrowserContext): Promise<void>;
}

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
  const { storage, items } = fakeStorage();
  const environment: Environment = {
    fetch: (url, init) => fetch(new URL(url, origin), init),
    stores: [createWebStore(() => storage)],
    localStorage: () => storage,
    openTabChannel: () => ({ postMessage: () => {}, close: () => {} }),
    whenOnline: async () => undefined,
    confirmSignOut: async () => true,
    endPush: async () => undefined,
    claimPrivateData: () => undefined,
    forgetPrivateData: () => undefined,
  };
  let session: Session = loadingSession;
  const access = {
    read: () => session,
    set: (next: Session) => {
      session = next;
    },
  };
  const actions = createSessionActions(`${origin}/identity`, access, environment);
  const outcome = await enter(actions);
  if (access.read().status !== 'signed-in') throw new Error(`The sign-in ended as ${outcome}.`);
  return {
    client: actions.client,
    token: actions.token,
    signIn: (context) => {
      const localStorage = [...items].map(([name, value]) => ({ name, value }));
      return context.setStorageState({ cookies: [], origins: [{ origin, localStorage }] });
    },
  };
}
