import { systemClock, within } from './environment.ts';
import { indexedStore } from './indexed-database.ts';

/** Under which name this browser keeps a sign-in, in whichever store, and its tabs speak to each other. */
export const NAME = 'coomercioIdentity';

/** Where tabs leave their announcements in browsers without BroadcastChannel. */
export const ANNOUNCEMENT = `${NAME}:announcement`;

/** The lock under which a tab asks for a new ID token. */
export const RENEWAL_LOCK = `${NAME}:renewal`;

/** How long a look may take, in milliseconds: some browsers let IndexedDB hang. */
const LOOK_LIMIT = 2_000;

/**
 * Whether an earlier visit may have left a sign-in in this browser: false only where there is surely none, so that
 * whoever comes for the first time need not fetch what would look after one.
 */
export async function mayHoldSignIn(): Promise<boolean> {
  try {
    if ([localStorage, sessionStorage].some((storage) => storage.getItem(NAME) !== null)) return true;
    const read = indexedStore(NAME, () => indexedDB).read();
    const kept = await within(systemClock, LOOK_LIMIT, read, () => new Error('IndexedDB does not answer.'));
    return kept !== undefined && kept !== null;
  } catch {
    // What cannot be looked into may hold one.
    return true;
  }
}

/** Calls back when another tab announces something. @returns stops listening */
export function onNewsFromTabs(listener: () => void): () => void {
  if (typeof BroadcastChannel !== 'undefined') {
    const channel = new BroadcastChannel(NAME);
    channel.addEventListener('message', listener);
    return () => channel.close();
  }
  const hear = ({ key }: StorageEvent) => {
    if (key === ANNOUNCEMENT) listener();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
