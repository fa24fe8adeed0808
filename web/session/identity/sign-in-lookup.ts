import { createStore, get } from 'idb-keyval';
import { withTimeout } from '../../requests/with-timeout.ts';

/** Name of the stored sign-in in every store, and of the tabs' BroadcastChannel. */
export const STORAGE_NAME = 'coomercioIdentity';

/** The store of the sign-in in IndexedDB, and its key. */
export const database = createStore(STORAGE_NAME, 'session');
export const DATABASE_KEY = 'current';

/** Milliseconds to wait for a store: IndexedDB hangs in some browsers. */
export const STORE_TIMEOUT = 2_000;

/** Whether this browser may have a stored sign-in. Visitors without one do not load the identity client. */
export async function mightBeSignedIn(): Promise<boolean> {
  try {
    if ([localStorage, sessionStorage].some((storage) => storage.getItem(STORAGE_NAME) !== null)) return true;
    return (await withTimeout(STORE_TIMEOUT, get<unknown>(DATABASE_KEY, database))) !== undefined;
  } catch {
    // A store that cannot be read, or does not answer in time, may contain one.
    return true;
  }
}

/** Opens the channel between the shop's tabs of this browser. */
export function openTabChannel(
  onMessage: (message: unknown) => void,
): Pick<BroadcastChannel, 'postMessage' | 'close'> {
  try {
    const channel = new BroadcastChannel(STORAGE_NAME);
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data));
    return channel;
  } catch {
    // Browsers that forbid storage may forbid the channel too.
    return { postMessage: () => {}, close: () => {} };
  }
}
