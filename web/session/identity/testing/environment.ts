import type { SignInResult, UserProfile } from '#contract/identity/schemas.ts';
import { signIn, signInWithCode, signUp } from '#contract/identity/sign-in.ts';
import { createIdentityClient } from '../client.ts';
import type { Environment } from '../environment.ts';
import { createMemoryStore } from '../persistence.ts';

export const PROVIDER = 'https://identity.example/identity';
export const HOUR = 3_600_000;

export const ann: UserProfile = {
  uid: 'ann',
  displayName: 'Ann',
  email: 'ann@mail.example',
  emailVerified: false,
  phoneNumber: null,
  photoURL: null,
  isAnonymous: false,
  providerData: [],
  metadata: { creationTime: '2026-01-01T00:00:00.000Z', lastSignInTime: '2026-01-01T00:00:00.000Z' },
};

let tokens = 0;

/** An ID token as far as the client looks into it: its user and two times by the provider's clock. */
export function idToken(
  lifetime = HOUR,
  issuedAt = Date.now(),
  sub = ann.uid,
  signature = `sig${++tokens}`,
): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(issuedAt / 1000);
  return [
    part({ alg: 'ES256' }),
    part({ sub, iat, exp: iat + lifetime / 1000, name: 'Žofie' }),
    signature,
  ].join('.');
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string | null;
  readonly body: unknown;
  readonly init: RequestInit;
}

export const json = (status: number, body: unknown) => Response.json(body, { status });
export const refusal = (status: number, code: string, detail = 'A sentence.') =>
  json(status, { title: 'No', status, code, detail });

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

/** A provider that signs everybody in as Ann, unless `answer` says otherwise. */
export function fakeProvider() {
  const requests: Request[] = [];
  const provider = {
    requests,
    /** How often ID tokens were asked for. */
    get issued() {
      return requests.filter(({ path }) => path === '/token').length;
    },
    answer: (_request: Request): Response | Promise<Response> | null => null,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const headers = new Headers(init.headers);
      const request: Request = {
        method: init.method ?? 'GET',
        path: url.slice(PROVIDER.length),
        token: headers.get('authorization'),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
        init,
      };
      requests.push(request);
      const special = await Promise.race([provider.answer(request), aborted(init.signal)]);
      if (special !== null) return special;
      if (request.path === '/sign-out') return json(200, { success: true });
      const issued = { idToken: idToken(), user: ann };
      return json(200, request.path.startsWith('/sign-') ? { ...issued, sessionToken: 'session' } : issued);
    },
  };
  return provider;
}

/** Tabs of one browser: a message of one arrives at the others a moment later. */
export function tabGroup() {
  const members = new Set<(message: unknown) => void>();
  return {
    join: (): Environment['openTabChannel'] => (onMessage) => {
      members.add(onMessage);
      return {
        postMessage(message) {
          for (const member of members) if (member !== onMessage) setTimeout(() => member(message), 0);
        },
        close: () => members.delete(onMessage),
      };
    },
  };
}

/** A local storage whose content a test can read. */
export function fakeStorage() {
  const items = new Map<string, string>();
  const storage: Storage = {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
  return { storage, items };
}

/** The APIs of one tab. @param parts those that differ */
export function fakeEnvironment(parts: Partial<Environment> = {}) {
  const provider = fakeProvider();
  const { storage } = fakeStorage();
  const environment: Environment = {
    fetch: provider.fetch,
    stores: [createMemoryStore()],
    localStorage: () => storage,
    openTabChannel: tabGroup().join(),
    whenOnline: async () => undefined,
    confirmSignOut: async () => true,
    endPush: async () => undefined,
    claimPrivateData: () => undefined,
    forgetPrivateData: () => undefined,
    ...parts,
  };
  return { environment, provider };
}

/** A client whose changes a test can wait for. @param requestShopToken exchanges an ID token at the shop */
export function openClient(
  environment: Environment,
  url = PROVIDER,
  requestShopToken = async (idToken: string) => `shop-token for ${idToken}`,
) {
  const listeners = new Set<() => void>();
  let reason: string | null = null;
  const client = createIdentityClient(url, environment, {
    requestShopToken,
    onChange(_signIn, ended) {
      reason = ended;
      for (const listener of [...listeners]) listener();
    },
  });
  const secondFactor = (result: SignInResult) => ('secondFactor' in result ? result.secondFactor : null);
  function read() {
    const signIn = client.present();
    return signIn === undefined ? null : { user: signIn?.profile ?? null, reason };
  }
  return {
    ...client,
    // These resolve with the second factor that the sign-in requires, or null.
    signUp: async (email: string, password: string) =>
      secondFactor(await client.call(signUp, { body: { email, password } })),
    signIn: async (email: string, password: string) =>
      secondFactor(await client.call(signIn, { body: { email, password } })),
    signInWithCode: async (challenge: string, code: string) =>
      secondFactor(await client.call(signInWithCode, { body: { code } }, challenge)),
    /** The signed-in user, and why the provider ended the session; null until the stored sign-in has been read. */
    state: read,
    onChange: (listener: () => void) => void listeners.add(listener),
    /** The user, or null, once the stored sign-in has been read. */
    whenKnown: () =>
      new Promise<UserProfile | null>((resolve) => {
        const check = () => {
          const known = read();
          if (known !== null) resolve(known.user);
        };
        listeners.add(check);
        check();
      }),
  };
}
export type OpenedClient = ReturnType<typeof openClient>;
