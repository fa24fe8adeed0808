import { createAccountActions } from '../identity/account.ts';
import type { IdentityClient } from '../identity/client.ts';
import { IdentityError } from '../identity/errors.ts';
import type { IdentityState } from '../identity/identity-session.ts';
import { createProvider } from '../identity/provider.ts';
import type { User } from '../identity/user.ts';

/** The user of these tests. */
export const email = 'ada@example.com';

const refuse = () => Promise.reject(new Error('This test does not use the account.'));
const session = {
  current: () => {
    throw new Error();
  },
  replace: refuse,
  recheck: refuse,
};

/** An identity client whose user, tokens and failures the test decides. */
export function fakeIdentity() {
  const calls: string[] = [];
  let onChange = () => {};
  let state: IdentityState | null = null;
  let issued = 1;

  function userNamed(displayName: string | null): User {
    return {
      uid: 'u1',
      displayName,
      email,
      emailVerified: true,
      phoneNumber: null,
      photoURL: null,
      isAnonymous: false,
      providerData: [],
      metadata: { creationTime: '2026-11-20T08:00:00Z', lastSignInTime: '2026-11-20T08:00:00Z' },
      async getIdToken(force = false) {
        if (force && !identity.reachable) throw new IdentityError('auth/network-request-failed');
        if (force) issued += 1;
        return `id-token-${issued}`;
      },
      usedSecondFactor: () => false,
    };
  }

  function publish(user: User | null, reason: IdentityError | null = null) {
    state = { user, reason };
    onChange();
  }

  async function signIn(call: string, name: string | null): Promise<User> {
    calls.push(call);
    const user = userNamed(name);
    publish(user);
    return user;
  }

  const client: IdentityClient = {
    state: () => state,
    createUserWithEmailAndPassword: (address) => signIn(`create ${address}`, null),
    signInWithEmailAndPassword: (address) => signIn(`sign in ${address}`, 'Ada'),
    signInWithGoogle: () => signIn('google', 'Ada G.'),
    updateProfile: ({ displayName = null }) => signIn(`name ${displayName}`, displayName),
    signInWithCode: (challenge, code) => signIn(`code ${code} for ${challenge}`, 'Ada'),
    signInWithPasskey: (challenge) => signIn(`passkey for ${challenge}`, 'Ada'),
    account: createAccountActions(
      createProvider('/identity', { fetch: refuse, deviceToken: () => '' }),
      session,
      {
        create: refuse,
        get: refuse,
      },
    ),
    async signOut() {
      calls.push('sign out');
      state = null;
      await Promise.resolve();
      publish(null);
    },
    dispose() {},
  };
  const identity = {
    client,
    calls,
    publish,
    userNamed,
    /** Whether new ID tokens can be requested. */
    reachable: true,
    renewIdToken() {
      issued += 1;
      publish(state?.user ?? null);
    },
    /** Creates the client, as the session's actions do. */
    create(listener: () => void): IdentityClient {
      onChange = listener;
      return client;
    },
  };
  return identity;
}

/** A refusal of the shop. */
export function problem(status: number, code: string, detail: string) {
  return Response.json({ title: code, status, code, detail }, { status });
}

/** A shop whose user records, good tokens and refusals the test decides. */
export function fakeShop() {
  const asked: string[] = [];
  const refuseNext: Response[] = [];
  const refuseExchange: Response[] = [];
  const shop = {
    records: new Map<string, unknown>(),
    asked,
    refuseNext,
    /** Responses to the next exchanges. */
    refuseExchange,
    reachable: true,
    goodToken: /^Bearer shop-token/,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const bearer = new Headers(init.headers).get('authorization') ?? '';
      shop.asked.push(`${init.method} ${url} ${bearer}`);
      if (!shop.reachable) throw new TypeError('fetch failed');
      const refusal = shop.refuseNext.shift();
      if (refusal !== undefined) return refusal;
      if (url.startsWith('/api/jwt')) {
        const refused = shop.refuseExchange.shift();
        if (refused !== undefined) return refused;
        if (!shop.records.has(email)) return Response.json({ coomercioToken: '' }, { status: 403 });
        return Response.json({ coomercioToken: `shop-token for ${bearer.slice('Bearer '.length)}` });
      }
      if (url === '/api/users') {
        const known = shop.records.has(email);
        if (!known) shop.records.set(email, JSON.parse(String(init.body)));
        return Response.json(
          known ? { acknowledged: false, message: 'User already sign in' } : { acknowledged: true },
        );
      }
      if (url === '/api/brands') {
        const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
        return Response.json([], shop.goodToken.test(bearer) ? {} : { headers });
      }
      if (!shop.goodToken.test(bearer)) return problem(401, 'token_expired', 'Your token has expired.');
      return Response.json({ isBuyer: true });
    },
  };
  return shop;
}

/** A local storage whose content a test can read. */
export function fakeStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
