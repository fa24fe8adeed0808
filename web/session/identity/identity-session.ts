import * as z from 'zod/mini';
import { updateProfile } from '#contract/identity/account.ts';
import type { IssuedToken, NewSession } from '#contract/identity/schemas.ts';
import { issueIdToken, signOut } from '#contract/identity/sign-in.ts';
import type { Client } from '#contract/platform/client.ts';
import type { Environment } from './environment.ts';
import { endsIdentitySession, identityError } from './errors.ts';
import { createSharedWork } from './lock.ts';
import { createPersistence } from './persistence.ts';
import { STORAGE_NAME } from './sign-in-lookup.ts';
import { EXPIRY_MARGIN, isUsable, needsCheck, readLifetime, type StoredSession } from './stored-session.ts';

/** Milliseconds before the ID token's end at which it is renewed. */
const RENEW_BEFORE_EXPIRY = 5 * 60_000;

/** Delay after a failed renewal in milliseconds. It doubles up to the last. */
const FIRST_BACK_OFF = 30_000;
const LAST_BACK_OFF = 16 * 60_000;

/** A message to the other tabs. */
const Announcement = z.discriminatedUnion('kind', [
  /** The stored sign-in has changed. */
  z.object({ kind: z.literal('changed') }),
  /** `at`: time in milliseconds of this device's clock. `reason`: a sentence if the provider ended the session. */
  z.object({ kind: z.literal('signed-out'), at: z.number(), reason: z.nullable(z.string()) }),
]);

/** What a session needs besides the browser and the provider. */
export interface SessionOptions {
  /** Called after each change of the sign-in. `reason`: why the session ended; null when its user signed out. */
  onChange(signIn: StoredSession | null, reason: string | null): void;
  /** Exchanges an ID token for the shop's token. */
  requestShopToken(idToken: string, email: string): Promise<string>;
}

/**
 * Keeps the session at the identity provider and the two tokens that are issued for it: restores the sign-in that an
 * earlier visit or another tab stored, stores changes, renews the tokens and follows the other tabs.
 * @param provider the provider's client with a bearer token
 */
export function createIdentitySession(
  provider: (token: string) => Pick<Client, 'call'>,
  environment: Pick<Environment, 'stores' | 'openTabChannel' | 'whenOnline'>,
  { onChange, requestShopToken }: SessionOptions,
) {
  const persistence = createPersistence(environment.stores);
  const channel = environment.openTabChannel(followTabs);
  const renewOnce = createSharedWork(`${STORAGE_NAME}:renewal`);
  const exchangeOnce = createSharedWork(`${STORAGE_NAME}:exchange`);
  let storageQueue: Promise<unknown> = Promise.resolve();
  /** Null without a sign-in, undefined until the stored one has been read. */
  let signIn: StoredSession | null | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Serializes access to the stored sign-in, so that a slow write does not undo a later sign-out. */
  function withStorage<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = storageQueue.then(work);
    storageQueue = result.catch(() => {});
    return result;
  }

  const announce = (announcement: z.infer<typeof Announcement>) => channel.postMessage(announcement);

  const isCurrent = ({ sessionToken }: StoredSession) => signIn?.sessionToken === sessionToken;

  /** @throws IdentityError without a session */
  function current(): StoredSession {
    if (!signIn) throw identityError('not_signed_in');
    return signIn;
  }

  function renewAfter(milliseconds: number, session: StoredSession, backOff = FIRST_BACK_OFF): void {
    const started = setTimeout(() => {
      renew(session).catch(() => {
        // Set again meanwhile.
        if (timer === started) renewAfter(backOff, session, Math.min(backOff * 2, LAST_BACK_OFF));
      });
    }, milliseconds);
    timer = started;
  }

  function setSession(session: StoredSession | null, reason: string | null = null): void {
    clearTimeout(timer);
    timer = undefined;
    signIn = session;
    if (session !== null) {
      // A token that lasts less than 10 minutes is renewed at half its lifetime, or renewal would never end.
      const early = Math.min(RENEW_BEFORE_EXPIRY, session.lifetime / 2);
      renewAfter(Math.max(0, session.expiresAt - early - Date.now()), session);
    }
    onChange(session, reason);
  }

  /** Sets the session, then stores it and announces it to the other tabs. */
  async function save(session: StoredSession): Promise<void> {
    setSession(session);
    await withStorage(async () => {
      if (signIn !== session) return;
      await persistence.save(session);
      announce({ kind: 'changed' });
    });
  }

  async function saveIssued(sessionToken: string, signedInAt: number, issued: IssuedToken): Promise<void> {
    const { idToken, user: profile } = issued;
    const lifetime = readLifetime(idToken);
    if (lifetime <= EXPIRY_MARGIN) throw identityError('internal');
    const expiresAt = Date.now() + lifetime;
    // The previous token serves until this ID token has been exchanged.
    const shopToken = signIn?.profile.uid === profile.uid ? signIn.shopToken : null;
    const tokens = { sessionToken, signedInAt, idToken, expiresAt, lifetime };
    await save({ version: 1, ...tokens, profile, shopToken, isExchanged: false });
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
    await saveIssued(session.sessionToken, session.signedInAt, issued);
  }

  const requestIdToken = (session: StoredSession) => update(session, (calls) => calls.call(issueIdToken, {}));

  /** Uses the tokens that another tab got for the same sign-in. @returns whether there are such tokens */
  async function reuse(
    session: StoredSession,
    isBetter: (other: StoredSession) => boolean,
  ): Promise<boolean> {
    const isUseful = (other: StoredSession) =>
      other.sessionToken === session.sessionToken && isUsable(other) && isBetter(other);
    // Their announcement may have arrived while this tab waited for the lock.
    if (signIn && isUseful(signIn)) return true;
    return withStorage(async () => {
      const stored = await persistence.load();
      if (!isCurrent(session) || stored === null || !isUseful(stored)) return false;
      setSession(stored);
      return true;
    });
  }

  /** Renews the ID token, once for all concurrent callers and tabs. */
  const renew = (session: StoredSession) =>
    renewOnce(session.sessionToken, async () => {
      if (!(await reuse(session, (other) => other.idToken !== session.idToken)))
        await requestIdToken(session);
      if (!isCurrent(session)) throw identityError('not_signed_in');
    });

  /** Returns a session whose ID token is valid for at least another 30 seconds. @throws IdentityError */
  async function withIdToken(forceRefresh = false): Promise<StoredSession> {
    const session = current();
    if (forceRefresh || !isUsable(session)) await renew(session);
    return current();
  }

  /**
   * Exchanges the ID token for the shop's token, once for all tabs, unless that was done.
   * @param force renews both tokens, after the shop has rejected the present one
   * @throws Problem, IdentityError
   */
  async function exchange(force = false): Promise<void> {
    const rejected = force ? current().shopToken : null;
    const isGood = (tokens: StoredSession) => tokens.isExchanged && tokens.shopToken !== rejected;
    const session = await withIdToken(force);
    if (isGood(session)) return;
    await exchangeOnce(session.idToken, async () => {
      if (await reuse(session, isGood)) return;
      const { idToken, profile } = await withIdToken();
      const shopToken = await requestShopToken(idToken, profile.email);
      if (signIn?.idToken === idToken) await save({ ...signIn, shopToken, isExchanged: true });
    });
    // The ID token was renewed meanwhile.
    if (!current().isExchanged) await exchange();
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
      if (stored?.idToken === signIn?.idToken && stored?.shopToken === signIn?.shopToken) return;
      setSession(stored, announcement.kind === 'signed-out' ? announcement.reason : null);
    });
  }

  void withStorage(async () => {
    const stored = await persistence.load();
    // A sign-in may have completed while the store was slow.
    if (signIn !== undefined) return;
    setSession(stored);
    // After a failure the user stays signed in, and the timer tries again.
    if (stored !== null && needsCheck(stored)) renew(stored).catch(() => {});
  });

  return {
    /** The sign-in; null without one, undefined until the stored one has been read. */
    present: () => signIn,
    current,
    /** Saves a new sign-in, or the session that replaces the present one. */
    begin: (session: NewSession) => saveIssued(session.sessionToken, Date.now(), session),
    setDisplayName: async (displayName: string) =>
      update(current(), (calls) => calls.call(updateProfile, { body: { displayName } })),
    /** Returns an ID token that is valid for at least another 30 seconds. @throws IdentityError */
    getIdToken: async (forceRefresh = false): Promise<string> => (await withIdToken(forceRefresh)).idToken,
    exchange,
    /** Checks with the provider whether the session, if any, is still valid. */
    async recheck(): Promise<void> {
      // Not from another tab, whose token may be older than the change. After a failure the next renewal checks it.
      if (signIn) await requestIdToken(signIn).catch(() => {});
    },
    /**
     * Signs out here and in the other tabs, then ends the session at the provider: offline once the browser is online
     * again, if the page is still open. A rejection means that the provider could not be reached; this browser is signed
     * out nevertheless.
     * @param reason why, as a sentence; null when the user asked for it
     */
    async signOut(reason: string | null = null): Promise<void> {
      const session = signIn;
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
      clearTimeout(timer);
      channel.close();
    },
  };
}
