import { createDeviceTokenSource } from './device-token.ts';
import type { Environment } from './environment.ts';
import { createIndexedDbStore } from './indexed-database.ts';
import { withLock } from './lock.ts';
import { browserPasskeys } from './passkeys.ts';
import { createWebStore } from './persistence.ts';
import { ANNOUNCEMENT_KEY, STORAGE_NAME } from './stored-sign-in.ts';
import { createChannelTabs, createStorageTabs } from './tabs.ts';

function createRandomHex(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** The browser's APIs for the identity client. It can be called only in a browser. */
export function browserEnvironment(): Environment {
  const tabs =
    typeof BroadcastChannel === 'undefined'
      ? createStorageTabs(
          ANNOUNCEMENT_KEY,
          () => window.localStorage,
          (listener) => {
            window.addEventListener('storage', listener);
            return () => window.removeEventListener('storage', listener);
          },
        )
      : createChannelTabs(() => new BroadcastChannel(STORAGE_NAME));

  return {
    fetch: (url, init) => window.fetch(url, init),
    stores: [
      createIndexedDbStore(STORAGE_NAME, () => window.indexedDB),
      createWebStore('local storage', STORAGE_NAME, () => window.localStorage),
      createWebStore('session storage', STORAGE_NAME, () => window.sessionStorage),
    ],
    tabs,
    withLock,
    origin: window.location.origin,
    openWindow: (url, name, features) => window.open(url, name, features),
    windowBounds: () => ({
      left: window.screenX,
      top: window.screenY,
      width: window.outerWidth,
      height: window.outerHeight,
    }),
    onMessage(listener) {
      const onEvent = ({ origin, data }: MessageEvent<unknown>) => listener({ origin, data });
      window.addEventListener('message', onEvent);
      return () => window.removeEventListener('message', onEvent);
    },
    passkeys: browserPasskeys,
    createRandomHex,
    deviceToken: createDeviceTokenSource(() => window.localStorage, createRandomHex),
  };
}
