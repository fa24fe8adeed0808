import type { Session } from './states.ts';
import type { SessionStore } from './store.ts';

/** Milliseconds until a page stops waiting to learn who is signed in. */
export const LOADING_LIMIT = 20_000;

const unreachable = 'Sign-in cannot be reached. Please check your connection and try again.';
const slow = 'Finding out who is signed in takes too long. Please try again.';

/** Where the store comes from, and what is known before it is there. */
interface Lateness {
  /** Fetches the store's code and makes it; may be asked again after it failed. */
  load: () => Promise<SessionStore>;
  /** Whether this browser may hold a sign-in. Must not throw. */
  mayHoldSignIn: () => Promise<boolean>;
  /** Calls back when another tab signs in or out. @returns stops listening */
  onNews: (listener: () => void) => () => void;
}

/**
 * The session store in the eyes of the pages. Behind it the real one, with the calls, their schemas and the identity
 * provider's client, is fetched after the first paint, and only where somebody may be signed in, signs in or makes a
 * call: most visitors look around first.
 */
export function createLateStore({ load, mayHoldSignIn, onNews }: Lateness): SessionStore {
  const listeners = new Set<() => void>();
  let session: Session = { status: 'loading' };
  let store: SessionStore | null = null;
  let arriving: Promise<SessionStore> | null = null;
  let limit: ReturnType<typeof setTimeout> | undefined;
  let stopListening = () => {};
  let stopFollowing = () => {};

  function set(next: Session) {
    if (JSON.stringify(next) === JSON.stringify(session)) return;
    session = next;
    for (const listener of [...listeners]) listener();
  }

  function follow(arrived: SessionStore) {
    const next = arrived.read();
    // That nobody is signed in was known before, and stays so until something else is.
    if (next.status === 'loading' && session.status === 'signed-out') return;
    set(next);
  }

  function arrive(): Promise<SessionStore> {
    arriving ??= load().then(
      (arrived) => {
        store = arrived;
        // From here on it listens itself.
        stopListening();
        arrived.subscribe(() => follow(arrived));
        stopFollowing = arrived.start();
        follow(arrived);
        return arrived;
      },
      () => {
        arriving = null;
        throw new Error(unreachable);
      },
    );
    return arriving;
  }

  function fail(message: string) {
    if (session.status === 'loading') set({ status: 'failed', message });
  }

  function wake() {
    arrive().catch(() => fail(unreachable));
  }

  function waitAtMost() {
    clearTimeout(limit);
    limit = setTimeout(() => fail(slow), LOADING_LIMIT);
  }

  async function look(): Promise<void> {
    if (await mayHoldSignIn()) wake();
    else if (session.status === 'loading') set({ status: 'signed-out', left: false, reason: null });
  }

  function start(): () => void {
    waitAtMost();
    if (store === null) {
      stopListening = onNews(wake);
      void look();
    } else {
      stopFollowing = store.start();
    }
    return () => {
      clearTimeout(limit);
      stopListening();
      stopFollowing();
    };
  }

  /** A store at hand is not waited for: browsers open the Google window only in the turn of the click. */
  function using<Result>(act: (store: SessionStore) => Promise<Result>): Promise<Result> {
    return store === null ? arrive().then(act) : act(store);
  }

  return {
    read: () => session,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    client: {
      call: (endpoint, input) => using(({ client }) => client.call(endpoint, input)),
      page: (endpoint, input) => using(({ client }) => client.page(endpoint, input)),
    },
    token: () => store?.token() ?? null,
    signIn: (email, password) => using((arrived) => arrived.signIn(email, password)),
    signInWithGoogle: () => using((arrived) => arrived.signInWithGoogle()),
    signInWithPasskey: () => using((arrived) => arrived.signInWithPasskey()),
    proveWithCode: (code) => using((arrived) => arrived.proveWithCode(code)),
    register: (registration) => using((arrived) => arrived.register(registration)),
    finish: (record) => using((arrived) => arrived.finish(record)),
    deleteAccount: (email, password) => using((arrived) => arrived.deleteAccount(email, password)),
    signOut: () => store?.signOut(),
    identity: () => using((arrived) => arrived.identity()),
    retry() {
      waitAtMost();
      if (store !== null) {
        store.retry();
        return;
      }
      set({ status: 'loading' });
      wake();
    },
  };
}
