import { browserEnvironment } from './identity/browser.ts';
import { createIdentityClient } from './identity/client.ts';
import { withLock } from './identity/lock.ts';
import { createSessionStore, type SessionStore } from './store.ts';

/** The session store of this browser. @param url the identity provider's address, ending in `/identity` */
export function openSession(url: string): SessionStore {
  return createSessionStore({
    identity: createIdentityClient(url, browserEnvironment()),
    fetch: (address, init) => fetch(address, init),
    storage: () => localStorage,
    withLock,
  });
}
