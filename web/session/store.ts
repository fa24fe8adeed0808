import { exchangeToken, registerUser, TOKEN_KEY } from '#contract/accounts.ts';
import { type Client, createClient, Problem } from '#contract/client.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import type { IdentityProvider, IdentityUser } from './identity-provider.ts';

/** Milliseconds until a page stops waiting to learn who is signed in. */
const LOADING_LIMIT = 20_000;

export interface Person {
  name: string;
  email: string;
  photoUrl: string | null;
}

export type Session =
  | { status: 'loading' }
  /** `left`: by their own wish, on this page. `reason`: why, when it was not their wish. */
  | { status: 'signed-out'; left: boolean; reason: string | null }
  /** An identity without a user record here, as when registering broke off half-way. */
  | { status: 'unfinished'; person: Person; role: RegisteringRole; reason: string | null }
  | { status: 'failed'; message: string }
  | { status: 'signed-in'; person: Person };

export type RegisteringRole = 'Buyer' | 'Seller';

/** What became of signing in: `unfinished` when the identity has no user record here yet. */
export type Outcome = 'welcome-back' | 'created' | 'unfinished';

export interface SessionStore {
  read(): Session;
  subscribe(listener: () => void): () => void;
  /** Begins to follow the identity provider; answers how to stop. */
  start(): () => void;
  /** Calls in the name of who is signed in. */
  client: Client;
  /** The shop's token, for the one call that `client` does not make: an upload. */
  token(): string | null;
  signIn(email: string, password: string): Promise<Outcome>;
  signInWithGoogle(): Promise<Outcome>;
  register(input: { name: string; email: string; password: string; role: RegisteringRole }): Promise<Outcome>;
  /** Makes the missing user record of an `unfinished` session. */
  finish(input: { name: string; role: RegisteringRole }): Promise<Outcome>;
  signOut(): Promise<void>;
  /** Asks again after `failed`. */
  retry(): void;
}

interface StoreOptions {
  /** Loaded late, so that the first paint does not wait for it. */
  identity: () => Promise<IdentityProvider>;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  onSignedOut?: () => void;
}

const endedReason = 'Your session has ended. Please sign in again.';

function personOf(user: IdentityUser): Person {
  const email = user.email ?? '';
  return { name: user.displayName ?? email, email, photoUrl: user.photoURL };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Please try again.';
}

/**
 * Who is signed in, kept in step with the identity provider: its ID token is exchanged for the shop's token, which
 * is kept in local storage and renewed whenever the ID token is.
 */
export function createSessionStore(options: StoreOptions): SessionStore {
  const listeners = new Set<() => void>();
  let session: Session = { status: 'loading' };
  let identity: Promise<IdentityProvider> | null = null;
  let latestUser: IdentityUser | null = null;
  let exchangedIdToken: string | null = null;
  /** While a person signs in or registers, that action settles the session, not the news of it. */
  let acting = 0;
  let generation = 0;
  let reason: string | null = null;
  let memory: string | null = null;
  let renewal: Promise<boolean> | null = null;

  function set(next: Session) {
    const ended = session.status === 'signed-in' && next.status !== 'signed-in';
    session = next;
    if (ended) options.onSignedOut?.();
    for (const listener of listeners) listener();
  }

  function token(): string | null {
    try {
      return options.storage().getItem(TOKEN_KEY);
    } catch {
      return memory;
    }
  }

  function keepToken(value: string | null) {
    memory = value;
    try {
      if (value === null) options.storage().removeItem(TOKEN_KEY);
      else options.storage().setItem(TOKEN_KEY, value);
    } catch {
      // Where storage is forbidden the token lasts as long as the page.
    }
  }

  function provider(): Promise<IdentityProvider> {
    identity ??= options.identity().catch((error: unknown) => {
      identity = null;
      throw error;
    });
    return identity;
  }

  const proving = (idToken: string) =>
    createClient({ base: '/api', fetch: options.fetch, token: () => idToken, timeout: 15_000 });

  /** @throws Problem when the shop does not hand out its token */
  async function exchange(user: IdentityUser): Promise<void> {
    const idToken = await user.getIdToken();
    if (idToken === exchangedIdToken && token() !== null) return;
    const answer = await proving(idToken).call(exchangeToken, { query: { email: user.email ?? '' } });
    exchangedIdToken = idToken;
    keepToken(answer.coomercioToken);
  }

  async function end(because: string | null, left = false) {
    generation += 1;
    keepToken(null);
    exchangedIdToken = null;
    reason = because;
    set({ status: 'signed-out', left, reason: because });
    await (await provider()).signOut();
  }

  /** Brings the session in step with a user of the identity provider. Answers once it is settled. */
  async function settle(user: IdentityUser | null): Promise<void> {
    generation += 1;
    const mine = generation;
    if (user === null) {
      keepToken(null);
      exchangedIdToken = null;
      if (session.status === 'signed-out') return;
      const because = reason ?? (await provider()).signedOutBecause();
      if (mine === generation) set({ status: 'signed-out', left: false, reason: because });
      return;
    }
    const same = session.status === 'signed-in' && session.person.email === user.email;
    try {
      await exchange(user);
      if (mine === generation) set({ status: 'signed-in', person: personOf(user) });
    } catch (error) {
      if (mine !== generation) return;
      const status = error instanceof Problem ? error.status : 0;
      if (error instanceof Problem && (error.code === 'account_ended' || status === 401)) {
        await end(error.message);
      } else if (status === 403) {
        set({ status: 'unfinished', person: personOf(user), role: 'Buyer', reason: null });
      } else if (!same) {
        set({ status: 'failed', message: messageOf(error) });
      }
    }
  }

  async function acted<Result>(act: (identity: IdentityProvider) => Promise<Result>): Promise<Result> {
    acting += 1;
    reason = null;
    try {
      return await act(await provider());
    } finally {
      acting -= 1;
    }
  }

  /** After a successful sign-in: settles and says what became of it. @throws Problem when the shop refuses */
  async function welcome(user: IdentityUser, outcome: Outcome): Promise<Outcome> {
    await settle(user);
    if (session.status === 'unfinished') return 'unfinished';
    if (session.status === 'signed-in') return outcome;
    const message =
      session.status === 'failed' ? session.message : session.status === 'signed-out' && session.reason;
    throw new Problem({ status: 0, code: 'internal', detail: message || endedReason });
  }

  async function makeRecord(user: IdentityUser, name: string, role: RegisteringRole): Promise<Outcome> {
    try {
      const answer = await proving(await user.getIdToken()).call(registerUser, {
        body: { name, email: user.email ?? '', role },
      });
      return answer.acknowledged ? 'created' : 'welcome-back';
    } catch (error) {
      set({ status: 'unfinished', person: { ...personOf(user), name }, role, reason: messageOf(error) });
      throw error;
    }
  }

  /** The token ran out while the page slept: one renewal, shared by all calls that noticed. */
  function renew(): Promise<boolean> {
    renewal ??= (async () => {
      try {
        if (latestUser === null) return false;
        await latestUser.getIdToken(true);
        exchangedIdToken = null;
        await exchange(latestUser);
        return true;
      } catch {
        return false;
      } finally {
        renewal = null;
      }
    })();
    return renewal;
  }

  async function fetchSignedIn(url: string, init: RequestInit): Promise<Response> {
    const response = await options.fetch(url, init);
    const headers = new Headers(init.headers);
    if (response.status !== 401 || !headers.has('authorization')) return response;
    const problem = ProblemDocument.safeParse(
      await response
        .clone()
        .json()
        .catch(() => null),
    );
    if (problem.data?.code === 'token_expired' && (await renew())) {
      headers.set('authorization', `Bearer ${token()}`);
      const again = await options.fetch(url, { ...init, headers });
      if (again.status !== 401) return again;
    }
    if (session.status === 'signed-in') void end(problem.data?.detail ?? endedReason);
    return response;
  }

  function follow(): () => void {
    let stopped = false;
    let unsubscribe = () => {};
    const limit = setTimeout(() => {
      if (session.status === 'loading') {
        set({ status: 'failed', message: 'Finding out who is signed in takes too long. Please try again.' });
      }
    }, LOADING_LIMIT);
    provider().then(
      (client) => {
        if (stopped) return;
        unsubscribe = client.onIdTokenChanged((user) => {
          latestUser = user;
          if (acting === 0) void settle(user);
        });
      },
      () => {
        if (!stopped) set({ status: 'failed', message: 'Sign-in cannot be reached. Please try again.' });
      },
    );
    return () => {
      stopped = true;
      clearTimeout(limit);
      unsubscribe();
    };
  }

  let stop = () => {};
  return {
    read: () => session,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => {
      stop = follow();
      return () => stop();
    },
    client: createClient({ base: '/api', fetch: fetchSignedIn, token }),
    token,
    signIn: (email, password) =>
      acted(async (client) =>
        welcome(await client.signInWithEmailAndPassword(email, password), 'welcome-back'),
      ),
    signInWithGoogle: () =>
      acted(async (client) => {
        const user = await client.signInWithGoogle();
        return welcome(user, await makeRecord(user, personOf(user).name, 'Buyer'));
      }),
    register: ({ name, email, password, role }) =>
      acted(async (client) => {
        const user = await client.createUserWithEmailAndPassword(email, password);
        await client.updateProfile({ displayName: name });
        return welcome(user, await makeRecord(user, name, role));
      }),
    finish: ({ name, role }) =>
      acted(async () => {
        if (latestUser === null) throw new Problem({ status: 0, code: 'internal', detail: endedReason });
        return welcome(latestUser, await makeRecord(latestUser, name, role));
      }),
    signOut: () => end(null, true),
    retry: () => {
      stop();
      set({ status: 'loading' });
      stop = follow();
    },
  };
}
