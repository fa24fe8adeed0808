import type * as z from 'zod/mini';
import type { SignInResult } from '#contract/identity/schemas.ts';
import { reauthenticate, signIn, signInWithCode, signUp } from '#contract/identity/sign-in.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { type NewUser, registerUser } from '#contract/people/accounts.ts';
import { createClient, Problem } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';
import { createIdentityClient, type IdentityClient } from './identity/client.ts';
import { browserEnvironment, type Environment } from './identity/environment.ts';
import { IdentityError } from './identity/errors.ts';
import type { PasskeyAnswer } from './identity/passkeys.ts';
import { hasSecondFactor, type StoredSession } from './identity/stored-session.ts';
import type { Person, RecordFailure, SessionStateAccess } from './session-state.ts';
import { createShopFetch } from './shop-fetch.ts';
import { classifyExchangeError, createIdTokenClient, createShopToken } from './shop-token.ts';

/**
 * Result of signing in. `unfinished`: the identity has no user record in the shop yet. `second-factor`: the sign-in
 * waits for its second factor.
 */
export type SignInOutcome = 'welcome-back' | 'created' | 'unfinished' | 'second-factor';

type UserRecord = Omit<z.input<typeof NewUser>, 'email'>;

export type Registration = Omit<z.input<typeof NewUser>, 'status'> & { password: string };

/** Reads and changes how the user signs in. */
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
  { state, dispatch }: SessionStateAccess,
  environment: Environment = browserEnvironment,
) {
  const identity = createIdentityClient(url, environment, {
    state,
    dispatch(event) {
      // Another tab has signed out or deleted the account. A session that ended otherwise leaves drafts to go on with.
      const isEndedByUser =
        event.type === 'sign-in-changed' && event.signIn === null && event.reason === null;
      if (isEndedByUser && session().status === 'signed-in') environment.forgetPrivateData();
      dispatch(event);
      refresh();
    },
  });
  const shopToken = createShopToken(environment, {
    getIdToken: identity.getIdToken,
    email: () => requireSignIn().profile.email,
  });
  /** The number of pending actions. Each sets the session itself, so `refresh` waits until they have ended. */
  let pendingActions = 0;
  let isDeleting = false;
  let maySignOut = () => true;
  let lastExchange = 0;

  const session = () => state().session;

  /** @throws Error without a sign-in */
  function requireSignIn(): StoredSession {
    const { signIn } = state();
    if (!signIn) throw new Error(sessionEnded);
    return signIn;
  }

  /** Removes what this browser needs to act for the user, besides the sign-in. */
  function forgetUser(): void {
    shopToken.clear();
    // A push message that arrives nevertheless has no subscription in the shop.
    environment.endPush().catch(() => undefined);
  }

  function endSession(reason: string | null, byUser = false): void {
    forgetUser();
    if (byUser && session().status === 'signed-in') environment.forgetPrivateData();
    dispatch({ type: 'signed-out', byUser, reason });
    // Signing out here succeeds also when the provider cannot be reached.
    identity.signOut(reason).catch((error: unknown) => console.error(error));
  }

  async function exchangeToken(signIn: StoredSession): Promise<void> {
    const exchange = ++lastExchange;
    const person = toPerson(signIn);
    dispatch({ type: 'exchange-started', exchange });
    try {
      await shopToken.exchange();
      const secondFactor = hasSecondFactor(state().signIn?.idToken ?? '');
      dispatch({ type: 'exchange-succeeded', exchange, person, secondFactor });
    } catch (error) {
      const kind = classifyExchangeError(error);
      if (kind === 'no-record') dispatch({ type: 'record-missing', exchange, person });
      else if (kind === 'unavailable') {
        dispatch({ type: 'exchange-failed', exchange, person, message: errorMessage(error) });
      } else if (state().exchange === exchange) endSession(errorMessage(error));
    }
  }

  /** Updates the session after the sign-in has changed. */
  function refresh(): void {
    const { signIn } = state();
    if (pendingActions > 0) return;
    if (signIn) void exchangeToken(signIn);
    else if (signIn === null) forgetUser();
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

  async function completeSignIn(outcome: SignInOutcome = 'welcome-back'): Promise<SignInOutcome> {
    await exchangeToken(requireSignIn());
    const settled = session();
    if (settled.status === 'signed-in') return outcome;
    if (settled.status === 'unfinished') return 'unfinished';
    if (settled.status === 'failed') throw new Error(settled.message);
    throw new Error((settled.status === 'signed-out' ? settled.reason : null) ?? sessionEnded);
  }

  /** Runs a sign-in and completes it. A required second factor becomes the session's state. */
  function withSignIn(
    request: () => Promise<SignInResult>,
    complete: () => Promise<SignInOutcome> = completeSignIn,
  ): Promise<SignInOutcome> {
    return withAction(async () => {
      const result = await request();
      if (!('secondFactor' in result)) return complete();
      dispatch({ type: 'second-factor-required', ...result.secondFactor });
      return 'second-factor';
    });
  }

  /**
   * Proves again that this is the user, and exchanges the new ID token, from whose `auth_time` the shop reads a recent sign-in.
   * @param password undefined for an account without one, whose sign-in must be recent already
   */
  async function proveIdentity(password: string | undefined): Promise<void> {
    await identity.call(reauthenticate, { body: { password } });
    await shopToken.exchange();
  }

  /** Creates the user record. After a failure the session keeps the typed values for a retry. */
  async function createUserRecord(record: UserRecord): Promise<SignInOutcome> {
    const { name, role } = record;
    const signIn = requireSignIn();
    const { displayName, email } = signIn.profile;
    let outcome: SignInOutcome;
    try {
      if (displayName !== name) await identity.setDisplayName(name);
      const client = createIdTokenClient(await identity.getIdToken(), environment.fetch);
      const { acknowledged } = await client.call(registerUser, { body: { ...record, email } });
      outcome = acknowledged ? 'created' : 'welcome-back';
    } catch (error) {
      const person = { ...toPerson(signIn), name };
      dispatch({ type: 'record-not-created', person, role, failure: toRecordFailure(error) });
      throw error;
    }
    return completeSignIn(outcome);
  }

  const shopFetch = createShopFetch({
    fetch: environment.fetch,
    shopToken,
    isSignedIn: () => session().status === 'signed-in' && !isDeleting,
    endSession: (reason) => endSession(reason ?? sessionEnded),
  });
  const client = createClient({ base: API, fetch: shopFetch, token: shopToken.read });

  const account: AccountActions = identity;

  return {
    client,
    /** Opens a stream of the shop, which is not read at once as a call is. @param path below `/api` */
    openStream: (path: string, signal: AbortSignal): Promise<Response> =>
      shopFetch(`${API}${path}`, {
        method: 'GET',
        headers: { authorization: `Bearer ${shopToken.read()}` },
        cache: 'no-store',
        signal,
      }),
    token: shopToken.read,
    account,
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
    signInWithPasskey: (chosen?: PasskeyAnswer) => withSignIn(() => identity.signInWithPasskey(chosen)),
    /** @param code of an authenticator app, or a recovery code */
    signInWithCode: (code: string) => withSignIn(() => identity.call(signInWithCode, { body: { code } })),
    register: ({ name, email, password, role }: Registration) =>
      withSignIn(
        () => identity.call(signUp, { body: { email, password } }),
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
          forgetUser();
          environment.forgetPrivateData();
          dispatch({ type: 'account-deleted', kept });
          // The provider has erased the account; this signs out this browser and its other tabs.
          await identity.signOut().catch(() => undefined);
        } finally {
          isDeleting = false;
        }
      }),
    /** Signs out, unless the guard asks the user first. */
    signOut(): void {
      if (maySignOut()) endSession(null, true);
    },
    /** @param guard called before a sign-out; returns false to ask the user first */
    guardSignOut(guard: () => boolean): void {
      maySignOut = guard;
    },
    refresh,
  };
}
