import { createIndexedDbStore } from './indexed-database.ts';
import { withTimeout } from './timeout.ts';

/** Name of the stored sign-in in every store, and of the tabs' BroadcastChannel. */
export const STORAGE_NAME = 'coomercioIdentity';

/** Storage key of the tabs' announcements in browsers without BroadcastChannel. */
export const ANNOUNCEMENT_KEY = `${STORAGE_NAME}:announcement`;

/** Name of the lock under which a tab renews the ID token. */
export const RENEWAL_LOCK = `${STORAGE_NAME}:renewal`;

/** Milliseconds to wait for IndexedDB, which hangs in some browsers. */
const LOOKUP_TIMEOUT = 2_000;

/**
 * Whether this browser may have a stored sign-in. False only when there is none. Then a first visit does not
 * load the identity client.
 */
export async function mightBeSignedIn(): Promise<boolean> {
  try {
    if ([localStorage, sessionStorage].some((storage) => storage.getItem(STORAGE_NAME) !== null)) return true;
    const read = createIndexedDbStore(STORAGE_NAME, () => indexedDB).read();
    const stored = await withTimeout(LOOKUP_TIMEOUT, read, () => new Error('IndexedDB does not answer.'));
    return stored !== undefined && stored !== null;
  } catch {
    // A store that cannot be read may contain one.
    return true;
  }
}

/** Calls back when another tab announces a sign-in or a sign-out. @returns stops listening */
export function onOtherTab(listener: () => void): () => void {
  if (typeof BroadcastChannel !== 'undefined') {
    const channel = new BroadcastChannel(STORAGE_NAME);
    channel.addEventListener('message', listener);
    return () => channel.close();
  }
  const onStorage = ({ key }: StorageEvent) => {
    if (key === ANNOUNCEMENT_KEY) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
