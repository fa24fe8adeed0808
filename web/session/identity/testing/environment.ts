import type { UserProfile } from '#contract/identity/schemas.ts';
import { createIdentityClient } from '../client.ts';
import type { Environment } from '../environment.ts';
import { createMemoryStore, type Store } from '../persistence.ts';
import type { Announcement, Tabs } from '../tabs.ts';
import type { User } from '../user.ts';

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
export function idToken(lifetime = HOUR, issuedAt = Date.now(), sub = ann.uid): string {
  tokens += 1;
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(issuedAt / 1000);
  return [
    part({ alg: 'ES256' }),
    part({ sub, iat, exp: iat + lifetime / 1000, name: 'Žofie' }),
    `sig${tokens}`,
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

/** Tabs of one browser: what one announces the others hear, a moment later. */
export function tabGroup() {
  const members = new Map<object, (announcement: Announcement) => void>();
  const announced: Announcement[] = [];
  return {
    announced,
    join(): Tabs {
      const self = {};
      return {
        announce(announcement) {
          announced.push(announcement);
          for (const [member, hear] of members) if (member !== self) setTimeout(() => hear(announcement), 0);
        },
        listen(listener) {
          members.set(self, listener);
          return () => members.delete(self);
        },
      };
    },
  };
}

/** Tabs of one browser take turns under a lock. */
export function tabLock(): Environment['withLock'] {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

export interface FakePopup {
  closed: boolean;
  close(): void;
  focus(): void;
}

const credential = { id: 'credential', rawId: 'credential', type: 'public-key' } as const;
const createdPasskey = { ...credential, response: { clientDataJSON: 'data', attestationObject: 'object' } };
const passkeyAssertion = {
  ...credential,
  response: { clientDataJSON: 'data', authenticatorData: 'data', signature: 'signature' },
};

/** A browser's parts, each of which a test may look at or replace. */
export function fakeEnvironment(parts: Partial<Environment> & { stores?: readonly Store[] } = {}) {
  const provider = fakeProvider();
  const listeners = new Set<(message: { origin: string; data: unknown }) => void>();
  const opened: { url: URL; features: string; popup: FakePopup }[] = [];
  const environment: Environment = {
    fetch: provider.fetch,
    stores: [createMemoryStore()],
    tabs: tabGroup().join(),
    withLock: tabLock(),
    origin: 'https://shop.example',
    openWindow(url, _name, features) {
      const popup: FakePopup = {
        closed: false,
        close() {
          popup.closed = true;
        },
        focus() {},
      };
      opened.push({ url: new URL(url), features, popup });
      return popup;
    },
    windowBounds: () => ({ left: 100, top: 50, width: 1500, height: 1000 }),
    onMessage(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    passkeys: {
      create: async (options) => ({ ...createdPasskey, made: options }),
      get: async (options) => ({ ...passkeyAssertion, used: options }),
    },
    createRandomHex: () => `random${opened.length}`,
    deviceToken: () => 'device',
    ...parts,
  };
  return {
    environment,
    provider,
    opened,
    /** Posts a message to the page, as a window of that origin would. */
    post(origin: string, data: unknown) {
      for (const listener of [...listeners]) listener({ origin, data });
    },
    listening: () => listeners.size,
  };
}

/** A client whose changes a test can wait for. */
export function openClient(environment: Environment, url = PROVIDER) {
  const listeners = new Set<() => void>();
  const client = createIdentityClient(url, environment, () => {
    for (const listener of [...listeners]) listener();
  });
  return {
    ...client,
    onChange: (listener: () => void) => void listeners.add(listener),
    /** The user, or null, once the stored sign-in has been read. */
    whenKnown: () =>
      new Promise<User | null>((resolve) => {
        const check = () => {
          const state = client.state();
          if (state !== null) resolve(state.user);
        };
        listeners.add(check);
        check();
      }),
  };
}
export type OpenedClient = ReturnType<typeof openClient>;
