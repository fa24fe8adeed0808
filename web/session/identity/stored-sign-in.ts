import { indexedStore } from './indexed-database.ts';
import { withTimeout } from './timeout.ts';

/** Name of the stored sign-in in every store, and of the tabs' BroadcastChannel. */
export const NAME = 'coomercioIdentity';

/** Storage key of the tabs' announcements in browsers without BroadcastChannel. */
export const ANNOUNCEMENT = `${NAME}:announcement`;

/** Name of the lock under which a tab renews the ID token. */
export const RENEWAL_LOCK = `${NAME}:renewal`;

/** Milliseconds to wait for IndexedDB, which hangs in some browsers. */
const LOOKUP_LIMIT = 2_000;

/**
 * Whether this browser may have a stored sign-in. False only when there is surely none, so that a first visit need not
 * load the identity client.
 */
export async function mightBeSignedIn(): Promise<boolean> {
  try {
    if ([localStorage, sessionStorage].some((storage) => storage.getItem(NAME) !== null)) return true;
    const read = indexedStore(NAME, () => indexedDB).read();
    const stored = await withTimeout(LOOKUP_LIMIT, read, () => new Error('IndexedDB does not answer.'));
    return stored !== undefined && stored !== null;
  } catch {
    // A store that cannot be read may have one.
    return true;
  }
}

/** Calls back when another tab announces a sign-in or a sign-out. @returns stops listening */
export function onOtherTab(listener: () => void): () => void {
  if (typeof BroadcastChannel !== 'undefined') {
    const channel = new BroadcastChannel(NAME);
    channel.addEventListener('message', listener);
    return () => channel.close();
  }
  const onStorage = ({ key }: StorageEvent) => {
    if (key === ANNOUNCEMENT) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
