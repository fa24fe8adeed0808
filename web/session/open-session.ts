import { browserEnvironment } from './identity/browser.ts';
import { createIdentityClient } from './identity/client.ts';
import { withLock } from './identity/lock.ts';
import { createSessionActions, type SessionActions } from './session-actions.ts';
import type { SessionStateAccess } from './session-state.ts';

/** Creates the session's actions in a browser. @param url the identity provider's address, ending in `/identity` */
export function openSession(url: string, access: SessionStateAccess): SessionActions {
  return createSessionActions({
    access,
    createIdentity: (onChange) => createIdentityClient(url, browserEnvironment(), onChange),
    fetch: (address, init) => fetch(address, init),
    storage: () => localStorage,
    withLock,
  });
}
