import * as z from 'zod/mini';
import { updateProfile } from '#contract/identity/account.ts';
import type { IssuedToken, NewSession } from '#contract/identity/schemas.ts';
import { issueIdToken, signOut } from '#contract/identity/sign-in.ts';
import type { Client } from '#contract/platform/client.ts';
import type { SessionStateAccess } from '../session-state.ts';
import type { Environment } from './environment.ts';
import { endsIdentitySession, identityError } from './errors.ts';
import { createSharedWork } from './lock.ts';
import { createPersistence } from './persistence.ts';
import type { Provider } from './provider.ts';
import { createRenewalTimer } from './renewal-timer.ts';
import { STORAGE_NAME } from './sign-in-lookup.ts';
import { EXPIRY_MARGIN, isUsable, needsCheck, readLifetime, type StoredSession } from './stored-session.ts';

/** A message to the other tabs. */
const Announcement = z.discriminatedUnion('kind', [
  /** The stored sign-in has changed. */
  z.object({ kind: z.literal('changed') }),
  /** `at`: time in milliseconds of this device's clock. `reason`: a sentence if the provider ended the session. */
  z.object({ kind: z.literal('signed-out'), at: z.number(), reason: z.nullable(z.string()) }),
]);
type Announcement = z.infer<typeof Announcement>;

/**
 * Keeps the session at the identity provider: restores the sign-in that an earlier visit or another tab stored, stores
 * changes, renews the ID token and follows the other tabs. The session itself is in the store's `signIn`.
 */
export function createIdentitySession(
  provider: Provider,
  environment: Pick<Environment, 'stores' | 'openTabChannel' | 'whenOnline'>,
  { state, dispatch }: SessionStateAccess,
) {
  const persistence = createPersistence(environment.stores);
  const channel = environment.openTabChannel(followTabs);
  const setRenewalTimer = createRenewalTimer(renew);
  const renewOnce = createSharedWork<string>(`${STORAGE_NAME}:renewal`);
  let storageQueue: Promise<unknown> = Promise.resolve();

  /** Serializes access to the stored sign-in, so that a slow write does not undo a later sign-out. */
  function withStorage<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = storageQueue.then(work);
    storageQueue = result.catch(() => {});
    return result;
  }

  const announce = (announcement: Announcement) => channel.postMessage(announcement);

  const isCurrent = ({ sessionToken }: StoredSession) => state().signIn?.sessionToken === sessionToken;

  /** @throws IdentityError without a session */
  function current(): StoredSession {
    const { signIn } = state();
    if (!signIn) throw identityError('not_signed_in');
    return signIn;
  }

  function setSession(signIn: StoredSession | null, reason: string | null = null): void {
    setRenewalTimer(signIn);
    dispatch({ type: 'sign-in-changed', signIn, reason });
  }

  /** Sets the session, then stores it and announces it to the other tabs. */
  async function saveSession(sessionToken: string, signedInAt: number, issued: IssuedToken): Promise<void> {
    const { idToken, user: profile } = issued;
    const lifetime = readLifetime(idToken);
    if (lifetime <= EXPIRY_MARGIN) throw identityError('internal');
    const expiresAt = Date.now() + lifetime;
    const session = { version: 1 as const, sessionToken, signedInAt, idToken, expiresAt, lifetime, profile };
    setSession(session);
    await withStorage(async () => {
      if (state().signIn !== session) return;
      await persistence.save(session);
      announce({ kind: 'changed' });
    });
  }

  /** Removes the stored session and signs out the other tabs. */
  async function clearStorage(reason: string | null): Promise<void> {
    const at = Date.now();
    await persistence.clear();
    announce({ kind: 'signed-out', at, reason });
  }

  /** Signs out after the provider ended the session, unless another tab has stored a new sign-in meanwhile. */
  const endSession = (session: StoredSession, reason: string) =>
    withStorage(async () => {
      const stored = await persistence.load();
      if (!isCurrent(session)) return;
      if (stored !== null && stored.sessionToken !== session.sessionToken) return setSession(stored);
      setSession(null, reason);
      await clearStorage(reason);
    });

  /** Saves the ID token that a request of this session returns. */
  async function update(
    session: StoredSession,
    request: (calls: Pick<Client, 'call'>) => Promise<IssuedToken>,
  ): Promise<void> {
    let issued: IssuedToken;
    try {
      issued = await request(provider(session.sessionToken));
    } catch (error) {
      if (endsIdentitySession(error)) await endSession(session, error.message);
      throw error;
    }
    if (!isCurrent(session)) throw identityError('not_signed_in');
    await saveSession(session.sessionToken, session.signedInAt, issued);
  }

  const requestIdToken = (session: StoredSession) => update(session, (calls) => calls.call(issueIdToken, {}));

  /** Uses the newer ID token that another tab got for the same sign-in, if there is one. */
  async function reuseOtherTabsToken(session: StoredSession): Promise<boolean> {
    const isNewer = (other: StoredSession | null | undefined) =>
      other?.sessionToken === session.sessionToken && other.idToken !== session.idToken && isUsable(other);
    // Its announcement may have arrived while this tab waited for the lock.
    if (isNewer(state().signIn)) return true;
    return withStorage(async () => {
      const stored = await persistence.load();
      if (!isCurrent(session) || !isNewer(stored)) return false;
      setSession(stored);
      return true;
    });
  }

  /** Renews the ID token, once for all concurrent callers and tabs. */
  function renew(session: StoredSession): Promise<string> {
    return renewOnce(session.sessionToken, async () => {
      if (!(await reuseOtherTabsToken(session))) await requestIdToken(session);
      if (!isCurrent(session)) throw identityError('not_signed_in');
      return current().idToken;
    });
  }

  function followTabs(message: unknown): void {
    const announcement = Announcement.safeParse(message).data;
    if (announcement === undefined) return;
    void withStorage(async () => {
      let stored = await persistence.load();
      // Tabs without a common store have a sign-in each. It ends too, unless it is newer than the sign-out.
      if (announcement.kind === 'signed-out' && stored !== null && stored.signedInAt < announcement.at) {
        await persistence.clear();
        stored = null;
      }
      if (stored?.idToken === state().signIn?.idToken) return;
      setSession(stored, announcement.kind === 'signed-out' ? announcement.reason : null);
    });
  }

  void withStorage(async () => {
    const stored = await persistence.load();
    // A sign-in may have completed while the store was slow.
    if (state().signIn !== undefined) return;
    setSession(stored);
    // After a failure the user stays signed in, and the timer tries again.
    if (stored !== null && needsCheck(stored)) renew(stored).catch(() => {});
  });

  return {
    current,
    /** Saves a new sign-in, or the session that replaces the present one. */
    begin: (session: NewSession) => saveSession(session.sessionToken, Date.now(), session),
    setDisplayName: async (displayName: string) =>
      update(current(), (calls) => calls.call(updateProfile, { body: { displayName } })),
    /** Returns an ID token that is valid for at least another 30 seconds. @throws IdentityError */
    async getIdToken(forceRefresh = false): Promise<string> {
      const session = current();
      return !forceRefresh && isUsable(session) ? session.idToken : renew(session);
    },
    /** Checks with the provider whether the session, if any, is still valid. */
    async recheck(): Promise<void> {
      const { signIn } = state();
      // Not from another tab, whose token may be older than the change. After a failure the next renewal checks it.
      if (signIn) await requestIdToken(signIn).catch(() => {});
    },
    /**
     * Signs out here and in the other tabs, then ends the session at the provider: offline once the browser is online again, if the
     * page is still open. A rejection means that the provider
     * could not be reached; this browser is signed out nevertheless.
     * @param reason why, as a sentence; null when the user asked for it
     */
    async signOut(reason: string | null = null): Promise<void> {
      const session = state().signIn;
      if (!session) return;
      setSession(null, reason);
      await withStorage(async () => {
        // Another tab's announcement may have restored it.
        if (isCurrent(session)) setSession(null, reason);
        await clearStorage(reason);
      });
      await environment.whenOnline();
      // The page may be closed at once.
      await provider(session.sessionToken).call(signOut, { keepalive: true });
    },
    /** Stops the timer and the listening to other tabs. */
    dispose(): void {
      setRenewalTimer(null);
      channel.close();
    },
  };
}
