import type { IssuedToken, NewSession, UserProfile } from '#contract/identity/schemas.ts';
import { issueIdToken, signOut } from '#contract/identity/sign-in.ts';
import type { Environment } from './environment.ts';
import { endsIdentitySession, IdentityError, identityErrorFromCode } from './errors.ts';
import { createPersistence } from './persistence.ts';
import type { Provider } from './provider.ts';
import { RENEWAL_LOCK } from './stored-sign-in.ts';
import { createRenewalTimer, EXPIRY_MARGIN, isUsable, needsCheck } from './token-renewal.ts';
import { hasSecondFactor, readLifetime, type StoredSession, type User } from './user.ts';

/** The signed-in user at the identity provider, in this tab. */
export interface IdentityState {
  readonly user: User | null;
  /** Why the session ended without a sign-out: `auth/user-disabled` or `auth/user-token-expired`. */
  readonly reason: IdentityError | null;
}

/**
 * Keeps the session at the identity provider: restores the sign-in that an earlier visit or another tab stored, stores
 * changes, renews the ID token and follows the other tabs.
 * @param onChange called after each change of the state
 */
export function createIdentitySession(
  provider: Provider,
  environment: Pick<Environment, 'stores' | 'tabs' | 'withLock'>,
  onChange: () => void,
) {
  const { tabs } = environment;
  const persistence = createPersistence(environment.stores);
  let notify = onChange;
  let state: IdentityState | null = null;
  let current: StoredSession | null = null;
  let isSigningOut = false;
  let renewal: { sessionToken: string; result: Promise<string> } | null = null;
  let storageQueue: Promise<unknown> = Promise.resolve();

  const renewalTimer = createRenewalTimer(async () => {
    if (current !== null) await renew(current);
  });

  /** Serializes access to the stored sign-in, so that a slow write does not undo a later sign-out. */
  function withStorage<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = storageQueue.then(work);
    storageQueue = result.catch(() => {});
    return result;
  }

  /** Returns the same object while the profile is unchanged. */
  function toUser(profile: UserProfile): User {
    const present = state?.user ?? null;
    if (present !== null && JSON.stringify(present) === JSON.stringify(profile)) return present;
    return {
      ...profile,
      async getIdToken(forceRefresh = false) {
        if (current?.profile.uid !== profile.uid) throw new IdentityError('auth/no-current-user');
        if (!forceRefresh && isUsable(current, Date.now())) return current.idToken;
        return renew(current);
      },
      usedSecondFactor: () => current !== null && hasSecondFactor(current.idToken),
    };
  }

  function setSession(session: StoredSession | null, reason: IdentityError | null = null): void {
    current = session;
    if (session === null) renewalTimer.stop();
    else renewalTimer.start(session);
    state = { user: session === null ? null : toUser(session.profile), reason };
    isSigningOut = false;
    notify();
  }

  /** Sets the session, then stores it and announces it to the other tabs. */
  async function saveSession(sessionToken: string, signedInAt: number, issued: IssuedToken): Promise<User> {
    const { idToken, user: profile } = issued;
    const lifetime = readLifetime(idToken);
    if (lifetime <= EXPIRY_MARGIN) throw new IdentityError('auth/internal-error');
    const expiresAt = Date.now() + lifetime;
    const session: StoredSession = {
      version: 1,
      sessionToken,
      signedInAt,
      idToken,
      expiresAt,
      lifetime,
      profile,
    };
    setSession(session);
    const user = toUser(profile);
    await withStorage(async () => {
      if (current !== session) return;
      await persistence.save(session);
      tabs.announce({ kind: 'changed' });
    });
    return user;
  }

  async function removeSession(reason: IdentityError | null): Promise<void> {
    const at = Date.now();
    setSession(null, reason);
    await persistence.clear();
    tabs.announce({ kind: 'signed-out', at, reason: reason?.code ?? null });
  }

  /** Signs out after the provider ended the session, unless another tab has stored a new sign-in meanwhile. */
  async function endSession(session: StoredSession, reason: IdentityError): Promise<void> {
    await withStorage(async () => {
      const stored = await persistence.load();
      if (current?.sessionToken !== session.sessionToken) return;
      if (stored !== null && stored.sessionToken !== session.sessionToken) setSession(stored);
      else await removeSession(reason);
    });
  }

  /** Saves the ID token that a request of this session returns. */
  async function updateSession(
    session: StoredSession,
    request: (calls: ReturnType<Provider>) => Promise<IssuedToken>,
  ): Promise<User> {
    const { sessionToken, signedInAt } = session;
    let issued: IssuedToken;
    try {
      issued = await request(provider(sessionToken));
    } catch (error) {
      if (endsIdentitySession(error)) await endSession(session, error);
      throw error;
    }
    if (current?.sessionToken !== sessionToken) throw new IdentityError('auth/no-current-user');
    return saveSession(sessionToken, signedInAt, issued);
  }

  const requestIdToken = (session: StoredSession) =>
    updateSession(session, (calls) => calls.call(issueIdToken, {}));

  /** Uses the newer ID token that another tab got for the same sign-in, if there is one. */
  async function reuseOtherTabsToken({ sessionToken, idToken }: StoredSession): Promise<boolean> {
    const isNewer = (other: StoredSession | null) =>
      other?.sessionToken === sessionToken && other.idToken !== idToken && isUsable(other, Date.now());
    // Its announcement may have arrived while this tab waited for the lock.
    if (isNewer(current)) return true;
    return withStorage(async () => {
      const stored = await persistence.load();
      if (current?.sessionToken !== sessionToken || !isNewer(stored)) return false;
      setSession(stored);
      return true;
    });
  }

  /** Renews the ID token, once for all concurrent callers and tabs. */
  function renew(session: StoredSession): Promise<string> {
    const { sessionToken } = session;
    if (renewal?.sessionToken === sessionToken) return renewal.result;
    const result = environment
      .withLock(RENEWAL_LOCK, async () => {
        if (!(await reuseOtherTabsToken(session))) await requestIdToken(session);
      })
      .then(() => {
        if (current?.sessionToken !== sessionToken) throw new IdentityError('auth/no-current-user');
        return current.idToken;
      })
      .finally(() => {
        if (renewal?.result === result) renewal = null;
      });
    renewal = { sessionToken, result };
    return result;
  }

  async function restore(): Promise<void> {
    const stored = await persistence.load();
    // A sign-in may have completed while the store was slow.
    if (state !== null) return;
    if (stored === null) {
      setSession(null);
      return;
    }
    const now = Date.now();
    if (isUsable(stored, now)) setSession(stored);
    else current = stored;
    if (state !== null && !needsCheck(stored, now)) return;
    void renew(stored).catch((error: unknown) => {
      // After any other failure the user stays signed in, and the timer tries again.
      if (!endsIdentitySession(error) && state === null) setSession(stored);
    });
  }

  const stopListening = tabs.listen((announcement) => {
    void withStorage(async () => {
      const isSignOut = announcement.kind === 'signed-out';
      let stored = await persistence.load();
      // Tabs without a common store have a sign-in each. It ends too, unless it is newer than the sign-out.
      if (isSignOut && stored !== null && stored.signedInAt < announcement.at) {
        await persistence.clear();
        stored = null;
      }
      if (stored?.idToken === current?.idToken) return;
      setSession(stored, stored === null && isSignOut ? identityErrorFromCode(announcement.reason) : null);
    });
  });
  void withStorage(restore);

  return {
    /** Null until the stored sign-in has been read, and while a sign-out is being stored. */
    state: (): IdentityState | null => (isSigningOut ? null : state),
    /** @throws IdentityError without a session */
    current(): StoredSession {
      if (current === null) throw new IdentityError('auth/no-current-user');
      return current;
    },
    /** Saves a new sign-in. */
    begin: (session: NewSession) => saveSession(session.sessionToken, Date.now(), session),
    /** Replaces the session of the same sign-in. */
    replace: (session: NewSession) =>
      saveSession(session.sessionToken, current?.signedInAt ?? Date.now(), session),
    update: updateSession,
    /** Checks with the provider whether the session, if any, is still valid. */
    async recheck(): Promise<void> {
      // Not from another tab, whose token may be older than the change. After a failure the next renewal
      // checks it.
      if (current !== null) await requestIdToken(current).catch(() => {});
    },
    /**
     * Signs out here and in the other tabs, then ends the session at the provider. A rejection means that the provider
     * could not be reached; this browser is signed out nevertheless.
     */
    async signOut(): Promise<void> {
      const session = current;
      if (session === null) return;
      isSigningOut = true;
      await withStorage(() => removeSession(null));
      // The page may be closed at once.
      await provider(session.sessionToken).call(signOut, { keepalive: true });
    },
    /** Stops the timer and the listening to other tabs. */
    dispose(): void {
      notify = () => {};
      renewalTimer.stop();
      stopListening();
    },
  };
}
