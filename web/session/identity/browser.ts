import { deviceTokenSource } from './device-token.ts';
import { type Environment, systemClock } from './environment.ts';
import { indexedStore } from './indexed-database.ts';
import { withLock } from './lock.ts';
import { browserPasskeys } from './passkeys.ts';
import { webStore } from './persistence.ts';
import { channelTabs, storageTabs } from './tabs.ts';
import { ANNOUNCEMENT, NAME } from './traces.ts';

/** 128 bits of randomness in hexadecimal. */
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** The browser's own parts for the identity module. To be called in a browser only; importing is safe anywhere. */
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
    clock: systemClock,
    stores: [
      indexedStore(NAME, () => window.indexedDB),
      webStore('local storage', NAME, () => window.localStorage),
      webStore('session storage', NAME, () => window.sessionStorage),
    ],
    tabs,
    withLock,
    origin: window.location.origin,
    openWindow: (url, name, features) => window.open(url, name, features),
    placement: () => ({
      left: window.screenX,
      top: window.screenY,
      width: window.outerWidth,
      height: window.outerHeight,
    }),
    onMessage(listener) {
      const hear = (event: MessageEvent<unknown>) => listener({ origin: event.origin, data: event.data });
      window.addEventListener('message', hear);
      return () => window.removeEventListener('message', hear);
    },
    passkeys: browserPasskeys,
    randomText,
    deviceToken: deviceTokenSource(() => window.localStorage, randomText),
  };
}
