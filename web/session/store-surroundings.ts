import { createAccountActions } from './identity/account.ts';
import { IdentityError } from './identity/errors.ts';
import { type AuthState, type IdentityClient, unknownState } from './identity/identity-client.ts';
import { createProvider } from './identity/provider.ts';
import type { User } from './identity/user.ts';

/** The one person of these tests. */
export const email = 'ada@example.com';

/** An identity provider's client whose person, tokens and failures the test decides. */
export function fakeIdentity() {
  const listeners = new Set<() => void>();
  const calls: string[] = [];
  let state: AuthState = unknownState;
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
      showedSecondFactor: () => false,
    };
  }

  function become(next: AuthState) {
    state = next;
    for (const listener of [...listeners]) listener();
  }

  function publish(user: User | null, reason: IdentityError | null = null) {
    become({ known: true, loading: false, user, reason });
    return user;
  }

  async function arrive(call: string, name: string | null): Promise<User> {
    calls.push(call);
    const user = userNamed(name);
    publish(user);
    return user;
  }

  const client: IdentityClient = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    whenKnown: async () => state.user,
    createUserWithEmailAndPassword: (address) => arrive(`create ${address}`, null),
    signInWithEmailAndPassword: (address) => arrive(`sign in ${address}`, 'Ada'),
    signInWithGoogle: () => arrive('google', 'Ada G.'),
    updateProfile: ({ displayName = null }) => arrive(`name ${displayName}`, displayName),
    proveWithCode: (code) => arrive(`code ${code}`, 'Ada'),
    signInWithPasskey: () => arrive('passkey', 'Ada'),
    forgetSecondFactor: () => void calls.push('forget'),
    account: createAccountActions({
      provider: createProvider('/identity', {
        fetch: () => Promise.reject(new Error()),
        deviceToken: () => '',
      }),
      passkeys: { create: () => Promise.reject(new Error()), get: () => Promise.reject(new Error()) },
      sessionToken: () => '',
      setSession: () => Promise.reject(new Error()),
      recheckSession: async () => {},
    }),
    async signOut() {
      calls.push('sign out');
      become({ ...state, loading: true });
      await Promise.resolve();
      publish(null);
    },
    dispose: () => listeners.clear(),
  };
  const identity = {
    client,
    calls,
    publish,
    userNamed,
    /** Whether new ID tokens can be had. */
    reachable: true,
    renewIdToken() {
      issued += 1;
      publish(state.user);
    },
  };
  return identity;
}

/** A refusal of the shop. */
export function problem(status: number, code: string, detail: string) {
  return Response.json({ title: code, status, code, detail }, { status });
}

/** The shop's side: which identities have a record, which tokens are good, what it was asked. */
export function fakeShop() {
  const asked: string[] = [];
  const refuseNext: Response[] = [];
  const refuseExchange: Response[] = [];
  const shop = {
    records: new Map<string, unknown>(),
    asked,
    refuseNext,
    /** Answers to the next asks for the shop's token. */
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

/** Local storage that can be looked into. */
export function fakeStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
