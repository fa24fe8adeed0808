import { browserEnvironment } from './identity/browser.ts';
import { createIdentityClient, type IdentityClient } from './identity/client.ts';

/** The identity provider's client in this browser; its code is loaded after the first paint. */
export function connectIdentity(url: string): IdentityClient {
  return createIdentityClient(url, browserEnvironment());
}
