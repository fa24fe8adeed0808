import { registerUser } from '#contract/accounts.ts';
import { type Client, Problem } from '#contract/client.ts';
import { deleteOwnAccount } from '#contract/privacy.ts';
import { errorMessage } from '../requests/error-message.ts';
import type { AccountActions } from './identity/account.ts';
import type { IdentityClient } from './identity/client.ts';
import type { Environment } from './identity/environment.ts';
import { IdentityError, SecondFactorRequired } from './identity/errors.ts';
import type { User } from './identity/user.ts';
import type { Person, RegisteringRole, SessionStateAccess } from './session-state.ts';
import { createShopClient } from './shop-client.ts';
import { classifyExchangeError, createIdTokenClient, createShopToken } from './shop-token.ts';

/**
 * Result of signing in. `unfinished`: the identity has no user record in the shop yet. `second-factor`: the sign-in
 * waits for its second factor.
 */
export type SignInOutcome = 'welcome-back' | 'created' | 'unfinished' | 'second-factor';

export interface Registration {
  name: string;
  email: string;
  password: string;
  role: RegisteringRole;
}

/** The actions of the session. Each async action throws an error whose message can be shown to the user. */
export interface SessionActions {
  client: Client;
  token(): string | null;
  /** Reads and changes how the user signs in. */
  account: AccountActions;
  signIn(email: string, password: string): Promise<SignInOutcome>;
  signInWithGoogle(): Promise<SignInOutcome>;
  /** Signs in with a passkey alone, or with it as the second factor of a challenged sign-in. */
  signInWithPasskey(): Promise<SignInOutcome>;
  /** Completes a challenged sign-in with a code of an authenticator app or a recovery code. */
  signInWithCode(code: string): Promise<SignInOutcome>;
  register(registration: Registration): Promise<SignInOutcome>;
  /** Creates the missing user record of an `unfinished` session. */
  finishRegistration(record: Pick<Registration, 'name' | 'role'>): Promise<SignInOutcome>;
  /** @param email the account's own, typed again @param password null for an account without one */
  deleteAccount(email: string, password: string | null): Promise<void>;
  signOut(): void;
  /** Updates the session from the state of the identity client. */
  refresh(): void;
}

interface SessionActionsOptions {
  access: SessionStateAccess;
  /** @param onChange called after each change of the client's state */
  createIdentity: (onChange: () => void) => IdentityClient;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  withLock: Environment['withLock'];
}

/** The fields of a new user record; `status` is sent only for a registration by e-mail (the specification's form). */
type UserRecord = Pick<Registration, 'name' | 'role'> & { status?: false };

const sessionEnded = 'Your session has ended. Please sign in again.';

const toPerson = ({ displayName, email, photoURL }: User): Person => ({
  name: displayName ?? email,
  email,
  photoUrl: photoURL,
});

const sessionProblem = (detail: string) => new Problem({ status: 0, code: 'session', detail });

/**
 * Creates the actions that change the session. The identity provider's ID token is exchanged for the shop's token at
 * sign-in and after each renewal.
 */
export function createSessionActions(options: SessionActionsOptions): SessionActions {
  const { state, dispatch } = options.access;
  const identity = options.createIdentity(refresh);
  const shopToken = createShopToken(options);
  /** The number of pending actions. Each sets the session itself, so `refresh` waits until they have ended. */
  let pendingActions = 0;
  let isDeleting = false;
  let lastExchange = 0;

  const session = () => state().session;

  function endSession(reason: string | null, byUser = false): void {
    shopToken.clear();
    dispatch({ type: 'signed-out', byUser, reason });
    // Signing out here succeeds also when the provider cannot be reached.
    identity.signOut().catch((error: unknown) => console.error(error));
  }

  async function exchangeToken(user: User): Promise<void> {
    const exchange = ++lastExchange;
    const person = toPerson(user);
    dispatch({ type: 'exchange-started', exchange });
    try {
      await shopToken.exchange(user);
      dispatch({ type: 'exchange-succeeded', exchange, person, secondFactor: user.usedSecondFactor() });
    } catch (error) {
      const kind = classifyExchangeError(error);
      if (kind === 'no-record') dispatch({ type: 'record-missing', exchange, person });
      else if (kind === 'unavailable') {
        dispatch({ type: 'exchange-failed', exchange, person, message: errorMessage(error) });
      } else if (state().exchange === exchange) endSession(errorMessage(error));
    }
  }

  function refresh(): void {
    const identityState = identity.state();
    if (identityState === null || pendingActions > 0) return;
    if (identityState.user !== null) {
      void exchangeToken(identityState.user);
      return;
    }
    shopToken.clear();
    dispatch({ type: 'identity-signed-out', reason: identityState.reason?.message ?? null });
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

  /** Runs a sign-in; a required second factor becomes the session's state. */
  function withSignIn(signIn: () => Promise<SignInOutcome>): Promise<SignInOutcome> {
    return withAction(async () => {
      try {
        return await signIn();
      } catch (error) {
        if (!(error instanceof SecondFactorRequired)) throw error;
        const { methods, challenge } = error;
        dispatch({ type: 'second-factor-required', methods, challenge });
        return 'second-factor';
      }
    });
  }

  async function completeSignIn(user: User, outcome: SignInOutcome): Promise<SignInOutcome> {
    await exchangeToken(user);
    const settled = session();
    if (settled.status === 'signed-in') return outcome;
    if (settled.status === 'unfinished') return 'unfinished';
    if (settled.status === 'failed') throw sessionProblem(settled.message);
    throw sessionProblem((settled.status === 'signed-out' ? settled.reason : null) ?? sessionEnded);
  }

  /** Creates the user record. After a failure the session keeps the typed values for a retry. */
  async function createUserRecord(user: User, record: UserRecord): Promise<SignInOutcome> {
    const { name, role } = record;
    let outcome: SignInOutcome;
    try {
      if (user.displayName !== name) await identity.updateProfile({ displayName: name });
      const client = createIdTokenClient(await user.getIdToken(), options.fetch);
      const body = { ...record, email: user.email };
      outcome = (await client.call(registerUser, { body })).acknowledged ? 'created' : 'welcome-back';
    } catch (error) {
      const person = { ...toPerson(user), name };
      dispatch({ type: 'record-not-created', person, role, message: errorMessage(error) });
      throw error;
    }
    return completeSignIn(identity.state()?.user ?? user, outcome);
  }

  /** The challenge of the pending sign-in, or null. */
  function pendingChallenge(): string | null {
    const current = session();
    return current.status === 'second-factor' ? current.challenge : null;
  }

  const client = createShopClient({
    fetch: options.fetch,
    shopToken,
    user: () => identity.state()?.user ?? null,
    isSignedIn: () => session().status === 'signed-in' && !isDeleting,
    endSession: (reason) => endSession(reason ?? sessionEnded),
  });

  async function deleteAccount(email: string, password: string | null): Promise<void> {
    pendingActions += 1;
    isDeleting = true;
    try {
      // The shop requires a recent sign-in, which it reads from the token.
      await shopToken.exchange(await identity.account.reauthenticate(password));
      const { kept } = await client.call(deleteOwnAccount, { query: { email } });
      shopToken.clear();
      dispatch({ type: 'account-deleted', kept });
      // The provider has erased the account; this signs out this browser and its other tabs.
      await identity.signOut().catch(() => undefined);
    } finally {
      isDeleting = false;
      pendingActions -= 1;
      if (session().status === 'signed-in') refresh();
    }
  }

  return {
    client,
    token: shopToken.read,
    account: identity.account,
    signIn: (email, password) =>
      withSignIn(async () =>
        completeSignIn(await identity.signInWithEmailAndPassword(email, password), 'welcome-back'),
      ),
    signInWithGoogle: () =>
      withSignIn(async () => {
        const user = await identity.signInWithGoogle();
        return createUserRecord(user, { name: toPerson(user).name, role: 'Buyer' });
      }),
    signInWithPasskey: () =>
      withSignIn(async () =>
        completeSignIn(await identity.signInWithPasskey(pendingChallenge()), 'welcome-back'),
      ),
    signInWithCode: (code) =>
      withSignIn(async () => {
        const challenge = pendingChallenge();
        if (challenge === null) throw new IdentityError('auth/user-token-expired');
        return completeSignIn(await identity.signInWithCode(challenge, code), 'welcome-back');
      }),
    register: ({ name, email, password, role }) =>
      withAction(async () => {
        const user = await identity.createUserWithEmailAndPassword(email, password);
        return createUserRecord(user, { name, role, status: false });
      }),
    finishRegistration: ({ name, role }) =>
      withAction(async () => {
        const user = identity.state()?.user ?? null;
        if (user === null) throw sessionProblem(sessionEnded);
        return createUserRecord(user, { name, role, status: false });
      }),
    deleteAccount,
    signOut: () => endSession(null, true),
    refresh,
  };
}
