import type { UserProfile } from '#contract/identity/schemas.ts';
import type { Environment } from '../identity/environment.ts';
import { createMemoryStore } from '../identity/persistence.ts';
import type { StoredSession } from '../identity/stored-session.ts';
import {
  ann,
  fakeEnvironment,
  fakeStorage,
  HOUR,
  idToken,
  json,
  PROVIDER,
  refusal,
} from '../identity/testing/environment.ts';
import { stubWindow } from '../identity/testing/google-window.ts';

/** The user of these tests. */
export const email = 'ada@example.com';

/** An identity provider whose user, tokens and failures the test decides, and the browser of one tab. */
export function fakeIdentity(shop: Pick<Environment, 'fetch'>) {
  const store = createMemoryStore();
  const { storage, items } = fakeStorage();
  let user: UserProfile = { ...ann, uid: 'u1', displayName: 'Ada', email };
  let issued = 0;
  let secondFactor: object | null = null;
  const refused = new Map<string, Response>();
  let receive: (message: unknown) => void = () => {};

  const page = stubWindow();
  const { environment, provider } = fakeEnvironment({
    stores: [store],
    localStorage: () => storage,
    openTabChannel(onMessage) {
      receive = onMessage;
      return { postMessage: () => {}, close: () => {} };
    },
  });
  const issueIdToken = () => idToken(HOUR, Date.now(), user.uid, `id-token-${++issued}`);

  const identity = {
    ...page,
    items,
    environment: {
      ...environment,
      fetch: (url: string, init: RequestInit) =>
        url.startsWith(PROVIDER) ? provider.fetch(url, init) : shop.fetch(url, init),
    },
    requests: provider.requests,
    /** The paths of the requests. */
    calls: () => provider.requests.map(({ path }) => path),
    /** Sends this response to the requests to a path. */
    refuse(path: string, response: Response) {
      refused.set(path, response);
    },
    /** Paths that cannot be reached. */
    unreachable: /^$/,
    /** Makes signing in with a password require a second factor. */
    requireSecondFactor(required: object) {
      secondFactor = required;
    },
    /** Signs in in another tab, or gets a new ID token there. */
    async signInElsewhere() {
      const session: StoredSession = {
        version: 1,
        sessionToken: 'session',
        signedInAt: Date.now(),
        idToken: issueIdToken(),
        expiresAt: Date.now() + HOUR,
        lifetime: HOUR,
        profile: user,
        shopToken: null,
        isExchanged: false,
      };
      await store.write(session);
      receive({ kind: 'changed' });
    },
    /** Another tab announces that the session has ended. @param reason null when its user signed out */
    async endElsewhere(reason: string | null) {
      await store.clear();
      receive({ kind: 'signed-out', at: Date.now(), reason });
    },
    /** Posts the message of the Google window. */
    completeGoogle() {
      page.post(new URL(PROVIDER).origin, {
        type: 'better-auth:oauth-popup',
        nonce: page.nonce(),
        token: 'from-google',
      });
    },
    store,
  };

  const nameAfter: Readonly<Record<string, string | null>> = {
    '/sign-in/email': 'Ada',
    '/sign-in/continue': 'Ada G.',
  };
  provider.answer = ({ path, token, body }) => {
    if (identity.unreachable.test(path)) return Promise.reject(new TypeError('fetch failed'));
    const refusedWith = refused.get(path);
    if (refusedWith !== undefined) return refusedWith;
    if (path === '/sign-in/email' && secondFactor !== null) {
      return json(200, { secondFactor });
    }
    if (path === '/sign-in/code' && token === null) return refusal(401, 'session_ended');
    if (path === '/sign-in/passkey/options') return json(200, { challenge: 'for a passkey' });
    if (path === '/sign-out') return json(200, { success: true });
    if (path in nameAfter) user = { ...user, displayName: nameAfter[path] ?? null };
    if (path === '/sign-up/email') user = { ...user, displayName: Object(body).name };
    if (path === '/user') user = { ...user, ...Object(body) };
    return json(200, { idToken: issueIdToken(), user, sessionToken: 'session' });
  };
  return identity;
}

/** A refusal of the shop. @param errors a sentence for each field of bad input */
export function problem(status: number, code: string, detail: string, errors?: Record<string, string>) {
  return Response.json({ title: code, status, code, detail, errors }, { status });
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
      const authorization = new Headers(init.headers).get('authorization') ?? '';
      // Of an ID token only its signature.
      const bearer = authorization.replace(/\S+\./, '');
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
