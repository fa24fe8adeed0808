import type { Client } from '#contract/platform/client.ts';
import { mightBeSignedIn, openTabChannel } from './identity/sign-in-lookup.ts';
import type { SessionActions } from './session-actions.ts';
import type { Session, SessionAccess } from './session-state.ts';

/** Milliseconds until a session that is still loading becomes `failed`. */
export const LOADING_TIMEOUT = 20_000;

export const loadingSession: Session = { status: 'loading' };

const unreachable = 'Sign-in cannot be reached. Please check your connection and try again.';
const slow = 'Finding out who is signed in takes too long. Please try again.';

export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * Creates the session store. The actions, with the contract's schemas and the identity provider's client, are loaded
 * after the first paint, and only when a sign-in may be stored, an action runs or a call is made. Most visitors need
 * none of them.
 * @param load loads the actions; called again after it failed
 */
export function createSessionStore(load: (access: SessionAccess) => Promise<SessionActions>) {
  const listeners = new Set<() => void>();
  let session = loadingSession;
  let actions: SessionActions | null = null;
  let loading: Promise<SessionActions> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let channel: { close(): void } | null = null;

  const read = () => session;

  function set(next: Session): void {
    // An equal session stays the same object, so that subscribers do not render again.
    if (JSON.stringify(next) === JSON.stringify(session)) return;
    session = next;
    for (const listener of [...listeners]) listener();
  }

  /** Sets the session unless it is known. */
  function endLoading(next: Session): void {
    if (session.status === 'loading') set(next);
  }

  function loadActions(): Promise<SessionActions> {
    loading ??= load({ read, set }).then(
      (loaded) => {
        // The actions listen to other tabs themselves.
        channel?.close();
        actions = loaded;
        return loaded;
      },
      () => {
        loading = null;
        throw new Error(unreachable);
      },
    );
    return loading;
  }

  function loadOrFail(): void {
    loadActions().catch(() => endLoading({ status: 'failed', message: unreachable }));
  }

  function startTimer(): void {
    clearTimeout(timer);
    timer = setTimeout(() => endLoading({ status: 'failed', message: slow }), LOADING_TIMEOUT);
  }

  /**
   * Loads the code of the actions and runs an action. Synchronous once they are loaded: browsers open the Google window
   * only during a click.
   */
  function run<Result>(action: (actions: SessionActions) => Promise<Result>): Promise<Result> {
    return actions === null ? loadActions().then(action) : action(actions);
  }

  /** Calls the shop with the signed-in user's token. */
  const client: Client = {
    call: (endpoint, input) => run((loaded) => loaded.client.call(endpoint, input)),
    page: (endpoint, input) => run((loaded) => loaded.client.page(endpoint, input)),
  };

  return {
    read,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Checks for a stored sign-in. @returns stops the timer and the listening to other tabs */
    start(): () => void {
      startTimer();
      if (actions === null) {
        channel = openTabChannel(loadOrFail);
        void mightBeSignedIn().then((isPossible) =>
          isPossible ? loadOrFail() : endLoading({ status: 'signed-out', byUser: false, reason: null }),
        );
      }
      return () => {
        clearTimeout(timer);
        channel?.close();
      };
    },
    client,
    /** The shop's token, for uploads, which `client` does not make. */
    token: () => actions?.token() ?? null,
    run,
    signOut: () => void actions?.signOut(),
    /** Leaves `failed` and checks the sign-in again. */
    retry(): void {
      startTimer();
      set(loadingSession);
      if (actions === null) loadOrFail();
      else actions.refresh();
    },
  };
}
