import {
  continueSignIn,
  type IssuedToken,
  issueIdToken,
  type NewSession,
  readSignInPasskeyOptions,
  type SignInResult,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
  signUp,
  type UserProfile,
  updateProfile,
} from '#contract/identity.ts';
import { createAccountActions } from './account.ts';
import type { Environment } from './environment.ts';
import { endsSession, IdentityError, identityErrorFromCode, SecondFactorRequired } from './errors.ts';
import { type AuthState, type IdentityClient, unknownState } from './identity-client.ts';
import { createPersistence } from './persistence.ts';
import { createPopups } from './popup.ts';
import { createProvider } from './provider.ts';
import { EXPIRY_MARGIN, isGood, needsCheck, refreshAlarm } from './refresh.ts';
import { RENEWAL_LOCK } from './traces.ts';
import { lifetimeOf, type StoredSession, saysSecondFactor, type User } from './user.ts';

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

  async function keep(
    sessionToken: string,
    signedInAt: number,
    { idToken, user }: IssuedToken,
  ): Promise<User> {
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

  async function ask(session: StoredSession, request: () => Promise<IssuedToken>): Promise<User> {
    let issued: IssuedToken;
    try {
      issued = await request();
    } catch (error) {
      if (endsSession(error)) await end(session, error);
      throw error;
    }
    if (current?.sessionToken !== session.sessionToken) throw new IdentityError('auth/no-current-user');
    return keep(session.sessionToken, session.signedInAt, issued);
  }

  /** Takes the ID token that another tab has got for the same sign-in since this one was issued, if there is one. */
  async function takeFromOtherTab({ sessionToken, idToken }: StoredSession): Promise<boolean> {
    const isNewer = (other: StoredSession | null) =>
      other?.sessionToken === sessionToken && other.idToken !== idToken && isGood(other, clock.now());
    // Its announcement may have been heard while this tab waited for the lock.
    if (isNewer(current)) return true;
    return inTurn(async () => {
      const found = await persistence.load();
      if (current?.sessionToken !== sessionToken || !isNewer(found)) return false;
      adopt(found);
      return true;
    });
  }

  /**
   * Gets a new ID token; whoever asks meanwhile gets the same. All tabs renew at the same moment: one of them asks the
   * provider, and the others take its answer.
   */
  function renew(session: StoredSession): Promise<string> {
    const { sessionToken } = session;
    if (renewing?.sessionToken === sessionToken) return renewing.result;
    const result = environment
      .withLock(RENEWAL_LOCK, async () => {
        if (!(await takeFromOtherTab(session)))
          await ask(session, () => provider(sessionToken).call(issueIdToken, {}));
      })
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
  function complete(entered: SignInResult): NewSession {
    if (!('secondFactor' in entered)) return entered;
    challenge = entered.secondFactor.challenge;
    throw new SecondFactorRequired(entered.secondFactor.methods);
  }

  async function begin(work: () => Promise<SignInResult>): Promise<User> {
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
      adopt(
        found,
        found === null && heard.kind === 'signed-out' ? identityErrorFromCode(heard.reason) : null,
      );
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
    createUserWithEmailAndPassword: (email, password) =>
      begin(() => provider(null).call(signUp, { body: { email, password } })),
    signInWithEmailAndPassword: (email, password) =>
      begin(() => provider(null).call(signIn, { body: { email, password } })),
    signInWithGoogle: () =>
      begin(async () => provider(await popups.signInWithGoogle()).call(continueSignIn, {})),
    proveWithCode: (code) =>
      begin(async () => {
        if (challenge === null) throw new IdentityError('auth/user-token-expired');
        return provider(challenge).call(signInWithCode, { body: { code } });
      }),
    signInWithPasskey: () =>
      begin(async () => {
        const calls = provider(challenge);
        const options = await calls.call(readSignInPasskeyOptions, {});
        const response = await environment.passkeys.get(options);
        return calls.call(signInWithPasskey, { body: { response } });
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
      setSession: (begun) => keep(begun.sessionToken, current?.signedInAt ?? clock.now(), begun),
      async recheckSession() {
        // What cannot be learned now follows with the next renewal.
        const session = current;
        // Not another tab's answer, which may be older than the change.
        if (session !== null)
          await ask(session, () => provider(session.sessionToken).call(issueIdToken, {})).catch(() => {});
      },
    }),
    async updateProfile(changes) {
      const session = current;
      if (session === null) throw new IdentityError('auth/no-current-user');
      return ask(session, () => provider(session.sessionToken).call(updateProfile, { body: changes }));
    },
    async signOut() {
      const session = current;
      if (session === null) return;
      publish({ loading: true });
      await inTurn(() => leave(null));
      // The page may be closed at once.
      await provider(session.sessionToken).call(signOut, { keepalive: true });
    },
    dispose() {
      alarm.stop();
      stopListening();
      listeners.clear();
    },
  };
}
