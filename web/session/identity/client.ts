import { type AccountActions, createAccountActions } from './account.ts';
import type { Environment } from './environment.ts';
import { endsSession, errorOf, IdentityError, SecondFactorRequired } from './errors.ts';
import { createPersistence } from './persistence.ts';
import { createPopups } from './popup.ts';
import { type Begun, createProvider, type Entered, type Issued } from './provider.ts';
import { EXPIRY_MARGIN, isGood, needsCheck, refreshAlarm } from './refresh.ts';
import { lifetimeOf, type StoredSession, saysSecondFactor, type User, type UserProfile } from './user.ts';

/** Who is signed in, as far as this tab knows. A new object for every change, so that it can be compared. */
export interface AuthState {
  /** False until it is known for the first time whether somebody is signed in. */
  readonly known: boolean;
  /** True at first, and while somebody signs up, in or out; false once the state has arrived. */
  readonly loading: boolean;
  readonly user: User | null;
  /** Why the person was signed out without asking for it: `auth/user-disabled`, `auth/user-token-expired`. */
  readonly reason: IdentityError | null;
}

/** The state before anything is known, and the only one that a server ever renders. */
export const unknownState: AuthState = { known: false, loading: true, user: null, reason: null };

/** Signing up, in and out. Every method that answers a promise throws IdentityError and nothing else. */
export interface IdentityClient {
  /** The same object until something changes. */
  state(): AuthState;
  /** Calls back after every change of {@link state}. @returns stops that */
  subscribe(listener: () => void): () => void;
  /** The user, or null, once it is known. */
  whenKnown(): Promise<User | null>;
  createUserWithEmailAndPassword(email: string, password: string): Promise<User>;
  /** @throws SecondFactorRequired when a second factor is due; {@link proveWithCode} or a passkey goes on from there */
  signInWithEmailAndPassword(email: string, password: string): Promise<User>;
  /** Completes a sign-in with a code of an authenticator app or a recovery code. */
  proveWithCode(code: string): Promise<User>;
  /** Completes a sign-in whose second factor is due with a passkey, or else signs in by a passkey alone. */
  signInWithPasskey(): Promise<User>;
  /** Gives up a sign-in whose second factor is due. */
  forgetSecondFactor(): void;
  /** How people sign in, and changing it. */
  readonly account: AccountActions;
  /** Must be called in the same turn as the click that asked for it, or browsers block the window. */
  signInWithGoogle(): Promise<User>;
  /** Changes name or picture; what is left out stays. */
  updateProfile(changes: { displayName?: string; photoURL?: string | null }): Promise<User>;
  /**
   * Signs out here and in the other tabs at once, then ends the session at the provider. A rejection means
   * that the provider could not be told; this browser is signed out all the same.
   */
  signOut(): Promise<void>;
  /** Stops alarms and listening. */
  dispose(): void;
}

/**
 * Starts the client: looks for a sign-in that an earlier visit or another tab left.
 * @param url the identity provider's address, ending in `/identity`
 */
export function createIdentityClient(url: string, environment: Environment): IdentityClient {
  const { clock, tabs } = environment;
  const provider = createProvider(url, environment);
  const persistence = createPersistence(environment.stores, clock);
  const popups = createPopups(url, environment);
  const listeners = new Set<() => void>();
  let state = unknownState;
  let current: StoredSession | null = null;
  let renewing: { sessionToken: string; result: Promise<string> } | null = null;
  let stored: Promise<unknown> = Promise.resolve();
  let underWay = 0;
  /** The sign-in whose second factor is due. */
  let challenge: string | null = null;

  const alarm = refreshAlarm(clock, async () => {
    if (current !== null) await renew(current);
  });

  function publish(change: Partial<AuthState>): void {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  }

  /** Work on what is stored happens in turn: a late write must not undo an earlier sign-out. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = stored.then(work);
    stored = result.catch(() => {});
    return result;
  }

  function userOf(profile: UserProfile): User {
    if (state.user !== null && JSON.stringify(state.user) === JSON.stringify(profile)) return state.user;
    return {
      ...profile,
      async getIdToken(forceRefresh = false) {
        if (current?.profile.uid !== profile.uid) throw new IdentityError('auth/no-current-user');
        if (!forceRefresh && isGood(current, clock.now())) return current.idToken;
        return renew(current);
      },
      showedSecondFactor: () => current !== null && saysSecondFactor(current.idToken),
    };
  }

  function adopt(session: StoredSession | null, reason: IdentityError | null = null): User | null {
    current = session;
    if (session === null) alarm.stop();
    else alarm.set(session);
    const user = session === null ? null : userOf(session.profile);
    publish({ known: true, loading: underWay > 0, user, reason });
    return user;
  }

  async function keep(sessionToken: string, signedInAt: number, { idToken, user }: Issued): Promise<User> {
    const lifetime = lifetimeOf(idToken);
    if (lifetime <= EXPIRY_MARGIN) throw new IdentityError('auth/internal-error');
    const expiresAt = clock.now() + lifetime;
    const session: StoredSession = {
      version: 1,
      sessionToken,
      signedInAt,
      idToken,
      expiresAt,
      lifetime,
      profile: user,
    };
    const adopted = adopt(session) ?? userOf(user);
    await inTurn(async () => {
      if (current !== session) return;
      await persistence.save(session);
      tabs.announce({ kind: 'changed' });
    });
    return adopted;
  }

  /** Signs this browser out because its session has ended, unless another tab has signed in anew meanwhile. */
  async function end(session: StoredSession, reason: IdentityError): Promise<void> {
    await inTurn(async () => {
      const found = await persistence.load();
      if (current?.sessionToken !== session.sessionToken) return;
      if (found !== null && found.sessionToken !== session.sessionToken) adopt(found);
      else await leave(reason);
    });
  }

  async function leave(reason: IdentityError | null): Promise<void> {
    const at = clock.now();
    adopt(null, reason);
    await persistence.forget();
    tabs.announce({ kind: 'signed-out', at, reason: reason?.code ?? null });
  }

  async function ask(session: StoredSession, request: () => Promise<Issued>): Promise<User> {
    let issued: Issued;
    try {
      issued = await request();
    } catch (error) {
      if (endsSession(error)) await end(session, error);
      throw error;
    }
    if (current?.sessionToken !== session.sessionToken) throw new IdentityError('auth/no-current-user');
    return keep(session.sessionToken, session.signedInAt, issued);
  }

  /** Asks for a new ID token; whoever asks meanwhile gets the same answer. */
  function renew(session: StoredSession): Promise<string> {
    const { sessionToken } = session;
    if (renewing?.sessionToken === sessionToken) return renewing.result;
    const result = ask(session, () => provider.issue(sessionToken))
      .then(() => {
        if (current?.sessionToken !== sessionToken) throw new IdentityError('auth/no-current-user');
        return current.idToken;
      })
      .finally(() => {
        if (renewing?.result === result) renewing = null;
      });
    renewing = { sessionToken, result };
    return result;
  }

  /** @throws SecondFactorRequired */
  function complete(entered: Entered): Begun {
    if (!('secondFactor' in entered)) return entered;
    challenge = entered.secondFactor.challenge;
    throw new SecondFactorRequired(entered.secondFactor.methods);
  }

  async function begin(work: () => Promise<Entered>): Promise<User> {
    underWay += 1;
    publish({ loading: true });
    const begun = await work()
      .then(complete)
      .finally(() => {
        underWay -= 1;
      })
      .catch((error: unknown) => {
        publish({ loading: underWay > 0 || !state.known });
        throw error;
      });
    challenge = null;
    return keep(begun.sessionToken, clock.now(), begun);
  }

  async function restore(): Promise<void> {
    const found = await persistence.load();
    // Somebody may have signed in by hand while the store was slow.
    if (state.known) return;
    if (found === null) {
      adopt(null);
      return;
    }
    const now = clock.now();
    if (isGood(found, now)) adopt(found);
    else current = found;
    if (state.known && !needsCheck(found, now)) return;
    void renew(found).catch((error: unknown) => {
      // What ends the session has been dealt with; with anything else the person stays signed in, and the
      // alarm tries again.
      if (!endsSession(error) && !state.known) adopt(found);
    });
  }

  const stopListening = tabs.listen((heard) => {
    void inTurn(async () => {
      let found = await persistence.load();
      // Tabs without a common store have each their own sign-in, which ends too unless it is the newer one.
      if (heard.kind === 'signed-out' && found !== null && found.signedInAt < heard.at) {
        await persistence.forget();
        found = null;
      }
      if (found?.idToken === current?.idToken) return;
      adopt(found, found === null && heard.kind === 'signed-out' ? errorOf(heard.reason) : null);
    });
  });
  void inTurn(restore);

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    whenKnown() {
      if (state.known) return Promise.resolve(state.user);
      return new Promise((resolve) => {
        const listener = () => {
          if (!state.known) return;
          listeners.delete(listener);
          resolve(state.user);
        };
        listeners.add(listener);
      });
    },
    createUserWithEmailAndPassword: (email, password) => begin(() => provider.signUp(email, password)),
    signInWithEmailAndPassword: (email, password) => begin(() => provider.signIn(email, password)),
    signInWithGoogle: () => begin(async () => provider.enter(await popups.signInWithGoogle())),
    proveWithCode: (code) =>
      begin(async () => {
        if (challenge === null) throw new IdentityError('auth/user-token-expired');
        return provider.proveCode(challenge, code);
      }),
    signInWithPasskey: () =>
      begin(async () => {
        const mine = challenge;
        const options = await provider.passkeyRequest(mine);
        return provider.provePasskey(mine, await environment.passkeys.get(options));
      }),
    forgetSecondFactor() {
      challenge = null;
    },
    account: createAccountActions({
      provider,
      passkeys: environment.passkeys,
      sessionToken() {
        if (current === null) throw new IdentityError('auth/no-current-user');
        return current.sessionToken;
      },
      adopt: (begun) => keep(begun.sessionToken, current?.signedInAt ?? clock.now(), begun),
      async lookAgain() {
        // What cannot be learned now follows with the next renewal.
        if (current !== null) await renew(current).catch(() => {});
      },
    }),
    async updateProfile(changes) {
      const session = current;
      if (session === null) throw new IdentityError('auth/no-current-user');
      return ask(session, () => provider.update(session.sessionToken, changes));
    },
    async signOut() {
      const session = current;
      if (session === null) return;
      publish({ loading: true });
      await inTurn(() => leave(null));
      await provider.signOut(session.sessionToken);
    },
    dispose() {
      alarm.stop();
      stopListening();
      listeners.clear();
    },
  };
}
