import { registerUser } from '#contract/accounts.ts';
import { type Client, createClient, Problem } from '#contract/client.ts';
import { deleteOwnAccount } from '#contract/privacy.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import type { Environment } from './identity/environment.ts';
import { endsSession, SecondFactorRequired } from './identity/errors.ts';
import type { IdentityClient } from './identity/identity-client.ts';
import type { User } from './identity/user.ts';
import { clientProving, createShopToken } from './shop-token.ts';
import type { Outcome, Person, Registration, Session } from './states.ts';

export type { Outcome, Person, RegisteringRole, Registration, Session } from './states.ts';

export interface SessionStore {
  read(): Session;
  subscribe(listener: () => void): () => void;
  /** Begins to follow the identity provider; answers how to stop. */
  start(): () => void;
  /** Calls in the name of who is signed in. */
  client: Client;
  /** The shop's token, for the one call that `client` does not make: an upload. */
  token(): string | null;
  /** Each of these throws an error whose message is a sentence for people. */
  signIn(email: string, password: string): Promise<Outcome>;
  signInWithGoogle(): Promise<Outcome>;
  /** By a passkey alone, or as the second factor that is due. */
  signInWithPasskey(): Promise<Outcome>;
  /** By a code of an authenticator app or a recovery code, as the second factor that is due. */
  proveWithCode(code: string): Promise<Outcome>;
  register(registration: Registration): Promise<Outcome>;
  /** Makes the missing user record of an `unfinished` session. */
  finish(record: Pick<Registration, 'name' | 'role'>): Promise<Outcome>;
  /**
   * Ends the account, and with it the session.
   * @param email the person's own, typed again
   * @param password null for who has none
   */
  deleteAccount(email: string, password: string | null): Promise<void>;
  signOut(): void;
  /** The identity provider's client, for who looks after how they sign in. */
  identity(): Promise<IdentityClient>;
  /** Asks again after `failed`. */
  retry(): void;
}

interface StoreOptions {
  identity: IdentityClient;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  withLock: Environment['withLock'];
}

/** What the shop's record of a user begins with; `status` only where the specification sends it, by form. */
type UserRecord = Pick<Registration, 'name' | 'role'> & { status?: false };

const ended = 'Your session has ended. Please sign in again.';

const personOf = ({ displayName, email, photoURL }: User): Person => ({
  name: displayName ?? email,
  email,
  photoUrl: photoURL,
});

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'Something went wrong. Please try again.';

const failure = (detail: string) => new Problem({ status: 0, code: 'session', detail });

/** What the shop says of a person whose exchange has failed; `nothing` when it is only that it could not be asked. */
function verdictOf(error: unknown): 'ended' | 'without-account' | 'nothing' {
  if (!(error instanceof Problem)) return 'nothing';
  if (error.code === 'account_ended' || error.status === 401) return 'ended';
  return error.status === 403 ? 'without-account' : 'nothing';
}

/**
 * Who is signed in, kept in step with the identity provider: its ID token is exchanged for the shop's token, and
 * again whenever it is renewed.
 */
export function createSessionStore(options: StoreOptions): SessionStore {
  const listeners = new Set<() => void>();
  const { identity } = options;
  const shopToken = createShopToken(options);
  let session: Session = { status: 'loading' };
  /** While a person signs in or registers, that action settles the session, not the news of it. */
  let acting = 0;
  /** While an account is being deleted, that it has ended is no news. */
  let deleting = false;
  /** Counts what settled the session, so that a late answer does not undo something newer. */
  let turn = 0;
  let stop = () => {};

  function set(next: Session) {
    if (JSON.stringify(next) === JSON.stringify(session)) return;
    session = next;
    for (const listener of [...listeners]) listener();
  }

  function end(reason: string | null, left = false) {
    turn += 1;
    shopToken.forget();
    set({ status: 'signed-out', left, reason });
    // This browser is signed out all the same when the provider cannot be told.
    identity.signOut().catch((error: unknown) => console.error(error));
  }

  async function settle(user: User | null, reason: string | null = null): Promise<void> {
    turn += 1;
    const mine = turn;
    if (user === null) {
      shopToken.forget();
      if (session.status !== 'signed-out') set({ status: 'signed-out', left: false, reason });
      return;
    }
    const person = personOf(user);
    const already = session.status === 'signed-in' && session.person.email === person.email;
    try {
      await shopToken.exchange(user);
      const secondFactor = user.showedSecondFactor() && { secondFactor: true as const };
      if (mine === turn) set({ status: 'signed-in', person, ...secondFactor });
    } catch (error) {
      if (mine !== turn) return;
      const verdict = verdictOf(error);
      if (verdict === 'ended') end(messageOf(error));
      else if (verdict === 'without-account') {
        set({ status: 'unfinished', person, role: 'Buyer', reason: null });
      }
      // Whoever is signed in stays so while the shop cannot be reached: the calls themselves will tell.
      else if (!already) set({ status: 'failed', message: messageOf(error) });
    }
  }

  function follow(): void {
    const { known, loading, user, reason } = identity.state();
    // Who is just signing out is still named meanwhile.
    if (known && !loading && acting === 0) void settle(user, reason?.message ?? null);
  }

  function start(): () => void {
    stop = identity.subscribe(follow);
    follow();
    return () => stop();
  }

  async function acted<Result>(act: () => Promise<Result>): Promise<Result> {
    acting += 1;
    try {
      return await act();
    } finally {
      acting -= 1;
      if (!['unfinished', 'second-factor'].includes(session.status)) follow();
    }
  }

  /** Signs in; where a second factor is due, the session says so. */
  function entered(enter: () => Promise<Outcome>): Promise<Outcome> {
    return acted(async () => {
      try {
        return await enter();
      } catch (error) {
        if (!(error instanceof SecondFactorRequired)) throw error;
        turn += 1;
        set({ status: 'second-factor', methods: error.methods });
        return 'second-factor';
      }
    });
  }

  async function welcome(user: User, outcome: Outcome): Promise<Outcome> {
    await settle(user);
    if (session.status === 'signed-in') return outcome;
    if (session.status === 'unfinished') return 'unfinished';
    if (session.status === 'failed') throw failure(session.message);
    throw failure((session.status === 'signed-out' ? session.reason : null) ?? ended);
  }

  /** Makes the user record; when that fails, what was typed waits in the session to be tried again. */
  async function enrol(user: User, record: UserRecord): Promise<Outcome> {
    const { name, role } = record;
    let outcome: Outcome;
    try {
      if (user.displayName !== name) await identity.updateProfile({ displayName: name });
      const client = clientProving(await user.getIdToken(), options.fetch);
      const body = { ...record, email: user.email };
      outcome = (await client.call(registerUser, { body })).acknowledged ? 'created' : 'welcome-back';
    } catch (error) {
      turn += 1;
      set({ status: 'unfinished', person: { ...personOf(user), name }, role, reason: messageOf(error) });
      throw error;
    }
    return welcome(identity.state().user ?? user, outcome);
  }

  async function fetchSignedIn(url: string, init: RequestInit): Promise<Response> {
    const response = await options.fetch(url, init);
    // A public call answers a token that does not hold as it answers a visitor, and says so in this header.
    const asVisitor = response.ok && response.headers.has('www-authenticate');
    const aboutToken = asVisitor || [401, 403].includes(response.status);
    if (!aboutToken || session.status !== 'signed-in' || deleting) return response;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    const problem = ProblemDocument.safeParse(body).data;
    // Any other 403 is about this one call; an ended account is out of the shop.
    if (response.status === 403 && problem?.code !== 'account_ended') return response;
    const user = identity.state().user;
    const renewable = asVisitor || ['token_expired', 'session_ended'].includes(problem?.code ?? '');
    if (renewable && user !== null) {
      // The page slept past its token's end, or the session was replaced by another of this browser: that is no
      // reason to ask for the password again.
      try {
        await shopToken.exchange(user, true);
      } catch (error) {
        const verdict = verdictOf(error);
        // That nobody could be asked is a failure of this call and no word about the session.
        if (verdict === 'nothing' && !endsSession(error)) {
          if (asVisitor) return response;
          throw error;
        }
        // Of a session that the provider has ended its own news tell, and of a missing account the new ID token's.
        if (verdict === 'ended') end(messageOf(error));
        return response;
      }
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${shopToken.read()}`);
      const again = await options.fetch(url, { ...init, headers });
      if (again.status !== 401 && !(asVisitor && again.headers.has('www-authenticate'))) return again;
    }
    if (session.status === 'signed-in') end(problem?.detail ?? ended);
    return response;
  }

  const shop = createClient({ base: '/api', fetch: fetchSignedIn, token: shopToken.read });

  async function deleteAccount(email: string, password: string | null): Promise<void> {
    acting += 1;
    deleting = true;
    try {
      // The shop believes who has just shown who they are, and learns that by the token that follows.
      await shopToken.exchange(await identity.account.reauthenticate(password));
      const { kept } = await shop.call(deleteOwnAccount, { query: { email } });
      turn += 1;
      shopToken.forget();
      set({ status: 'signed-out', left: true, reason: null, kept });
      // The provider forgets the account by itself; this browser and its other tabs do it here.
      await identity.signOut().catch(() => undefined);
    } finally {
      deleting = false;
      acting -= 1;
      if (session.status === 'signed-in') follow();
    }
  }

  return {
    read: () => session,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    client: shop,
    token: shopToken.read,
    signIn: (email, password) =>
      entered(async () =>
        welcome(await identity.signInWithEmailAndPassword(email, password), 'welcome-back'),
      ),
    signInWithGoogle: () =>
      entered(async () => {
        const user = await identity.signInWithGoogle();
        return enrol(user, { name: personOf(user).name, role: 'Buyer' });
      }),
    signInWithPasskey: () => entered(async () => welcome(await identity.signInWithPasskey(), 'welcome-back')),
    proveWithCode: (code) => entered(async () => welcome(await identity.proveWithCode(code), 'welcome-back')),
    register: ({ name, email, password, role }) =>
      acted(async () =>
        enrol(await identity.createUserWithEmailAndPassword(email, password), { name, role, status: false }),
      ),
    finish: ({ name, role }) =>
      acted(async () => {
        const { user } = identity.state();
        if (user === null) throw failure(ended);
        return enrol(user, { name, role, status: false });
      }),
    deleteAccount,
    identity: async () => identity,
    signOut() {
      if (session.status === 'second-factor') identity.forgetSecondFactor();
      end(null, true);
    },
    retry() {
      stop();
      set({ status: 'loading' });
      start();
    },
  };
}
