import '../ui/tokens.css';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import type * as z from 'zod/mini';
import type { Settings } from '#contract/operations/settings.ts';
import { type Callable, Problem } from '#contract/platform/client.ts';
import { HOUR_MS } from '#contract/platform/durations.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { clearQueries } from '../requests/query-client.ts';
import { WithQueries } from '../requests/with-queries.tsx';
import { browserStores, createPersistence } from '../session/identity/persistence.ts';
import { SessionProvider, useSession } from '../session/session.tsx';
import { ToastHost, toast } from '../ui/toast.tsx';

const settings: Settings = {
  identity: { url: 'https://identity.example/identity', google: false },
  cards: { publishableKey: 'pk_test', scriptUrl: null },
  photos: { uploadUrl: 'https://photos.example', ownHost: false },
  timeZone: 'UTC',
  shop: defaultShopSettings,
  shippingCountries: ['US'],
  selling: { leastPrice: 1, commission: { percent: 5, fixed: 0 }, payoutAfter: 'completed' },
};

/** Stores a sign-in, as an earlier visit does, until the test ends. */
export async function signIn(email = 'bruno@people.example'): Promise<void> {
  const profile = {
    displayName: 'Bruno Buyer',
    email,
    phoneNumber: null,
    photoURL: null,
  };
  const stored = createPersistence(browserStores);
  await stored.save({
    version: 1,
    sessionToken: 'session',
    signedInAt: Date.now(),
    idToken: 'an ID token',
    expiresAt: Date.now() + HOUR_MS,
    lifetime: HOUR_MS,
    profile: {
      ...profile,
      uid: 'bruno',
      emailVerified: true,
      isAnonymous: false,
      providerData: [],
      metadata: { creationTime: '2026-01-01T00:00:00.000Z', lastSignInTime: '2026-01-01T00:00:00.000Z' },
    },
    shopToken: 'a token of the shop',
    isExchanged: true,
  });
  onTestFinished(async () => {
    await stored.clear();
    localStorage.clear();
    sessionStorage.clear();
  });
}

/** What a signed-in person sees, when the sign-in is known. */
function SignedIn({ children }: { children: ReactNode }) {
  return useSession().status === 'signed-in' ? <WithQueries>{children}</WithQueries> : null;
}

interface MountOptions {
  /** The address of the page. */
  path?: string;
  /** Whether the component stands behind the sign-in, which {@link signIn} has stored. */
  isSignedIn?: boolean;
}

/**
 * Renders a component as the main part of a page, above the messages of the page, until the test ends.
 * @returns the router, and what removes the page as a reload does, with all that is only in its memory
 */
export function mount(component: ReactNode, { path = '/', isSignedIn = false }: MountOptions = {}) {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const element = (
    <SessionProvider settings={settings}>
      <main>
        <h1>The page</h1>
        {isSignedIn ? <SignedIn>{component}</SignedIn> : component}
      </main>
      <ToastHost />
    </SessionProvider>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  root.render(<RouterProvider router={router} />);
  const unmount = () => {
    root.unmount();
    container.remove();
    clearQueries();
    for (const { id } of toast.read()) toast.remove(id);
  };
  onTestFinished(unmount);
  return { router, unmount };
}

interface FakeRequest {
  body: unknown;
  query: URLSearchParams;
  idempotencyKey: string | null;
}

/** Answers a call. Throws a Problem to refuse it, or another error when it is not to be reached. */
type Reply<E extends Callable> = (
  request: FakeRequest,
) => z.output<E['response']> | Promise<z.output<E['response']>>;

const refuse = ({ status, code, message, errors }: Problem) =>
  Response.json({ title: code, status, code, detail: message, errors }, { status });

/**
 * Answers the calls of the contract in place of a shop, until the test ends. A call that the test does not name is not found.
 * @returns `on` names the reply to a call; `requests` are the calls so far, such as `POST /reports`
 */
export function fakeShop() {
  const replies: {
    matches: (request: string) => boolean;
    reply: (request: FakeRequest) => Promise<unknown>;
  }[] = [];
  const requests: string[] = [];
  const { fetch: original } = window;

  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    // The identity provider is only told of a sign-out.
    if (url.pathname.startsWith('/identity/')) return Response.json({ success: true });
    if (!url.pathname.startsWith('/api/')) return original(input, init);
    const name = `${init.method} ${url.pathname.slice('/api'.length)}`;
    requests.push(name);
    // The latest reply to a call counts.
    const known = replies.findLast(({ matches }) => matches(name));
    if (known === undefined)
      return refuse(new Problem({ status: 404, code: 'not_found', detail: `No ${name}.` }));
    try {
      return Response.json(
        await known.reply({
          body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
          query: url.searchParams,
          idempotencyKey: new Headers(init.headers).get('idempotency-key'),
        }),
      );
    } catch (error) {
      if (error instanceof Problem) return refuse(error);
      throw error;
    }
  });

  return {
    requests,
    on<E extends Callable>({ method, path }: E, reply: Reply<E>): void {
      const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`);
      replies.push({ matches: (name) => pattern.test(name), reply: async (request) => reply(request) });
    },
  };
}

/** Takes the connection from the page, or gives it back. The browser itself stays online: it is driven over the network. */
export function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

/** Whether the page behind a dialog stays where it is. */
export const isScrollLocked = (): boolean =>
  [document.documentElement, document.body].some(
    (element) => getComputedStyle(element).overflowY === 'hidden',
  );
