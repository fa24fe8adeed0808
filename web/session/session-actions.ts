import type * as z from 'zod/mini';
import type { SignInResult } from '#contract/identity/schemas.ts';
import { reauthenticate, signIn, signInWithCode, signUp } from '#contract/identity/sign-in.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { exchangeToken, type NewUser, registerUser, TOKEN_KEY } from '#contract/people/accounts.ts';
import { type Client, createClient, Problem } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';
import { tryStorage } from '../ui/browser-storage.ts';
import { announceDrafts } from './forget-private-data.ts';
import { createIdentityClient, type IdentityClient } from './identity/client.ts';
import { browserEnvironment, type Environment } from './identity/environment.ts';
import { IdentityError } from './identity/errors.ts';
import type { PasskeyAnswer } from './identity/passkeys.ts';
import { hasSecondFactor, isUsable, type StoredSession } from './identity/stored-session.ts';
import type { Person, RecordFailure, Session, SessionAccess } from './session-state.ts';
import { classifyExchangeError, createShopFetch } from './shop-fetch.ts';

/**
 * Result of signing in. `unfinished`: the identity has no user record in the shop yet. `second-factor`: the sign-in
 * waits for its second factor.
 */
export type SignInOutcome = 'welcome-back' | 'created' | 'unfinished' | 'second-factor';

type UserRecord = Omit<z.input<typeof NewUser>, 'email'>;

export type Registration = Omit<z.input<typeof NewUser>, 'status'> & { password: string };

/** Changes how the user signs in. */
export type AccountActions = Pick<IdentityClient, 'call' | 'addPasskey'>;

/** The base of the shop's calls. */
const API = '/api';

const sessionEnded = 'Your session has ended. Please sign in again.';

const toPerson = ({ profile: { displayName, email, photoURL } }: StoredSession): Person => ({
  name: displayName ?? email,
  email,
  photoUrl: photoURL,
});

function toRecordFailure(error: unknown): RecordFailure {
  const errors = error instanceof Problem || error instanceof IdentityError ? error.errors : {};
  // The identity provider calls a person's name `displayName`.
  const isAboutName = errors.name !== undefined || errors.displayName !== undefined;
  return { message: errorMessage(error), field: isAboutName ? 'name' : null };
}

export type SessionActions = ReturnType<typeof createSessionActions>;

/**
 * Creates the actions that change the session. The identity provider's ID token is exchanged for the shop's token at
 * sign-in and after each renewal. Each async action throws an error whose message can be shown to the user.
 * @param url the identity provider's address, ending in `/identity`
 */
export function createSessionActions(
  url: string,
  { read: session, set }: SessionAccess,
  environment: Environment = browserEnvironment,
) {
  // Drafts that were left in this tab before a reload.
  announceDrafts();
  const identity = createIdentityClient(url, environment, {
    requestShopToken: async (idToken, email) =>
      (await withIdToken(idToken).call(exchangeToken, { query: { email } })).coomercioToken,
    onChange: follow,
  });
  /** The number of pending actions. Each sets the session itself, and nothing else is exchanged until they have ended. */
  let pendingActions = 0;
  let isDeleting = false;
  /** Counts what sets the session: the result of an exchange that began earlier is ignored. */
  let changes = 0;

  const token = () => identity.present()?.shopToken ?? null;

  /** Creates a client for calls that are made before the shop has issued its token. */
  const withIdToken = (idToken: string): Client =>
    createClient({ base: API, fetch: environment.fetch, token: () => idToken, timeout: 15_000 });

  /** @throws Error without a sign-in */
  function requireSignIn(): StoredSession {
    const signIn = identity.present();
    if (!signIn) throw new Error(sessionEnded);
    return signIn;
  }

  /** The bearer token of a sign-in that requires its second factor, or null. */
  function challenge(): string | null {
    const state = session();
    return state.status === 'second-factor' ? state.challenge : null;
  }

  function settle(next: Session): void {
    changes += 1;
    set(next);
  }

  /** Sets the session that follows from a sign-in, or from none. */
  function follow(signIn: StoredSession | null, reason: string | null): void {
    // First: it removes the shop's token as well, and pages show what is left.
    if (signIn !== null) environment.claimPrivateData(signIn.profile.uid);
    // The specification's place. Where storage is forbidden or full, the sign-in's own store has the token.
    tryStorage(() => {
      if (signIn?.shopToken) environment.localStorage().setItem(TOKEN_KEY, signIn.shopToken);
      else environment.localStorage().removeItem(TOKEN_KEY);
    });
    const { status } = session();
    if (signIn === null) {
      // Another tab has signed out or deleted the account. A session that ended otherwise leaves drafts to go on with.
      if (reason === null && status === 'signed-in') environment.forgetPrivateData();
      // A push message that arrives nevertheless has no subscription in the shop.
      environment.endPush().catch(() => undefined);
      if (status !== 'signed-out') settle({ status: 'signed-out', byUser: false, reason });
    } else if (signIn.isExchanged && isUsable(signIn)) {
      const secondFactor = hasSecondFactor(signIn.idToken);
      settle({ status: 'signed-in', person: toPerson(signIn), ...(secondFactor && { secondFactor }) });
    } else if (pendingActions === 0) enterShop().catch(() => undefined);
  }

  /**
   * Gets the shop's token for the sign-in, which {@link follow} notices. A failure becomes the session's state.
   * @param outcome the result with a token; without a user record it is `unfinished`
   */
  async function enterShop(outcome: SignInOutcome = 'welcome-back'): Promise<SignInOutcome> {
    const started = ++changes;
    const person = toPerson(requireSignIn());
    try {
      await identity.exchange();
      return outcome;
    } catch (error) {
      const kind = classifyExchangeError(error);
      const present = session();
      if (changes !== started) throw error;
      if (kind === 'no-record') {
        settle({ status: 'unfinished', person, role: 'Buyer', failure: null });
        return 'unfinished';
      }
      if (kind === 'session-ended') endSession(errorMessage(error));
      // A signed-in session stays while the shop cannot be reached: its calls report the failure.
      else if (present.status !== 'signed-in' || present.person.email !== person.email) {
        settle({ status: 'failed', message: errorMessage(error) });
      }
      throw error;
    }
  }

  function endSession(reason: string | null, byUser = false): void {
    if (byUser && session().status === 'signed-in') environment.forgetPrivateData();
    settle({ status: 'signed-out', byUser, reason });
    // Signing out here succeeds also when the provider cannot be reached.
    identity.signOut(reason).catch((error: unknown) => console.error(error));
  }

  /** Updates the session from the sign-in. */
  function refresh(): void {
    const signIn = identity.present();
    if (signIn !== undefined && pendingActions === 0) follow(signIn, null);
  }

  async function withAction<Result>(action: () => Promise<Result>): Promise<Result> {
    pendingActions += 1;
    try {
      return await action();
    } finally {
      pendingActions -= 1;
      if (!['unfinished', 'second-factor'].includes(session().status)) refresh();
    }
  }

  /** Runs a sign-in and completes it. A required second factor becomes the session's state. */
  function withSignIn(
    request: () => Promise<SignInResult>,
    complete: () => Promise<SignInOutcome> = enterShop,
  ): Promise<SignInOutcome> {
    return withAction(async () => {
      const result = await request();
      if (!('secondFactor' in result)) return complete();
      settle({ status: 'second-factor', ...result.secondFactor });
      return 'second-factor';
    });
  }

  /**
   * Proves again that this is the user, and exchanges the new ID token, from whose `auth_time` the shop reads a recent sign-in.
   * @param password undefined for an account without one, whose sign-in must be recent already
   */
  async function proveIdentity(password: string | undefined): Promise<void> {
    await identity.call(reauthenticate, { body: { password } });
    await identity.exchange();
  }

  /** Creates the user record. After a failure the session keeps the typed values for a retry. */
  async function createUserRecord(record: UserRecord): Promise<SignInOutcome> {
    const { name, role } = record;
    const signIn = requireSignIn();
    const { displayName, email } = signIn.profile;
    let outcome: SignInOutcome;
    try {
      if (displayName !== name) await identity.setDisplayName(name);
      const shop = withIdToken(await identity.getIdToken());
      const { acknowledged } = await shop.call(registerUser, { body: { ...record, email } });
      outcome = acknowledged ? 'created' : 'welcome-back';
    } catch (error) {
      const person = { ...toPerson(signIn), name };
      settle({ status: 'unfinished', person, role, failure: toRecordFailure(error) });
      throw error;
    }
    return enterShop(outcome);
  }

  const shopFetch = createShopFetch({
    fetch: environment.fetch,
    token,
    renewToken: () => identity.exchange(true),
    isSignedIn: () => session().status === 'signed-in' && !isDeleting,
    endSession: (reason) => endSession(reason ?? sessionEnded),
  });
  const shop = createClient({ base: API, fetch: shopFetch, token });
  /** The client of the shop, which also makes the calls of the identity provider. */
  const client: Client = {
    ...shop,
    call: (endpoint, input) => (endpoint.identity ? identity : shop).call(endpoint, input),
  };

  return {
    client,
    /** Opens a stream of the shop, which is not read at once as a call is. @param path below `/api` */
    openStream: (path: string, signal: AbortSignal): Promise<Response> =>
      shopFetch(`${API}${path}`, {
        method: 'GET',
        headers: { authorization: `Bearer ${token()}` },
        cache: 'no-store',
        signal,
      }),
    token,
    account: identity satisfies AccountActions,
    signIn: (email: string, password: string) =>
      withSignIn(() => identity.call(signIn, { body: { email, password } })),
    /** Must be called during a click, or browsers block the window. */
    signInWithGoogle: () =>
      withSignIn(identity.signInWithGoogle, () =>
        createUserRecord({ name: toPerson(requireSignIn()).name, role: 'Buyer' }),
      ),
    /** Offers passkeys in the autofill of a field, and waits until one is chosen. */
    choosePasskey: identity.choosePasskey,
    /**
     * Completes a sign-in that requires a second factor, or signs in with the passkey alone.
     * @param chosen the passkey of `choosePasskey`
     */
    signInWithPasskey: (chosen?: PasskeyAnswer) =>
      withSignIn(() =>
        chosen ? identity.signInWithChosenPasskey(chosen) : identity.signInWithPasskey(challenge()),
      ),
    /** @param code of an authenticator app, or a recovery code. Without a sign-in that requires one, the provider refuses it */
    signInWithCode: (code: string) =>
      withSignIn(() => identity.call(signInWithCode, { body: { code } }, challenge())),
    register: ({ name, email, password, role }: Registration) =>
      withSignIn(
        () => identity.call(signUp, { body: { name, email, password } }),
        () => createUserRecord({ name, role, status: false }),
      ),
    /** Creates the missing user record of an `unfinished` session. */
    finishRegistration: ({ name, role }: UserRecord) =>
      withAction(() => createUserRecord({ name, role, status: false })),
    /** Changes the name at the identity provider, whose emails and whose ID tokens have it, to that in the shop. */
    setDisplayName: (name: string): Promise<void> => withAction(() => identity.setDisplayName(name)),
    /** Proves again that this is the user, for calls that need a recent sign-in. @param password undefined for an account without one */
    proveIdentity: (password: string | undefined): Promise<void> => withAction(() => proveIdentity(password)),
    /** @param email the account's own, typed again @param password undefined for an account without one */
    deleteAccount: (email: string, password: string | undefined): Promise<void> =>
      withAction(async () => {
        isDeleting = true;
        try {
          await proveIdentity(password);
          const { kept } = await client.call(deleteOwnAccount, { query: { email } });
          environment.forgetPrivateData();
          settle({ status: 'signed-out', byUser: true, reason: null, kept });
          // The provider has erased the account; this signs out this browser and its other tabs.
          await identity.signOut().catch(() => undefined);
        } finally {
          isDeleting = false;
        }
      }),
    /** Signs out, unless the user wants to keep what was typed. */
    async signOut(): Promise<void> {
      if (await environment.confirmSignOut()) endSession(null, true);
    },
    refresh,
  };
}
