import { deviceTokenSource } from './device-token.ts';
import type { Environment } from './environment.ts';
import { indexedStore } from './indexed-database.ts';
import { withLock } from './lock.ts';
import { browserPasskeys } from './passkeys.ts';
import { webStore } from './persistence.ts';
import { ANNOUNCEMENT, NAME } from './stored-sign-in.ts';
import { channelTabs, storageTabs } from './tabs.ts';

function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** The browser's APIs for the identity client. It can be called only in a browser. */
export function browserEnvironment(): Environment {
  const tabs =
    typeof BroadcastChannel === 'undefined'
      ? storageTabs(
          ANNOUNCEMENT,
          () => window.localStorage,
          (listener) => {
            window.addEventListener('storage', listener);
            return () => window.removeEventListener('storage', listener);
          },
        )
      : channelTabs(() => new BroadcastChannel(NAME));

  return {
    fetch: (url, init) => window.fetch(url, init),
    stores: [
      indexedStore(NAME, () => window.indexedDB),
      webStore('local storage', NAME, () => window.localStorage),
      webStore('session storage', NAME, () => window.sessionStorage),
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
    randomText,
    deviceToken: deviceTokenSource(() => window.localStorage, randomText),
  };
}
