import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  createPath,
  Links,
  type Location,
  Meta,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useBlocker,
  useLocation,
  useNavigate,
  useNavigation,
  useRouteLoaderData,
} from 'react-router';
import { listPages } from '#contract/operations/content.ts';
import { readSettings } from '#contract/operations/settings.ts';
import type { Route } from './+types/root.ts';
import { PageScripts } from './deferred-hydration.tsx';
import { needsServer } from './layout/needs-server.ts';
import { PageError } from './layout/page-error.tsx';
import { shopLook } from './layout/shop-look.server.ts';
import { serverContext } from './server-context.ts';
import { SessionProvider } from './session/session.tsx';
import bricolage from './ui/fonts/bricolage-grotesque.woff2?url';
import instrumentSans from './ui/fonts/instrument-sans.woff2?url';
import { ProgressBar } from './ui/progress-bar.tsx';
import { ThemeScript } from './ui/theme.tsx';
import { ToastHost, toast, toastOffline } from './ui/toast.tsx';
import styles from './ui/tokens.css?url';

const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' } as const;

export const links: Route.LinksFunction = () => [
  { ...font, href: instrumentSans },
  { ...font, href: bricolage },
  { rel: 'stylesheet', href: styles },
  // iPhones push only to a page that was added to the home screen.
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.settings.shop.name ?? '' }];

/** Loaded once per document, and when it is asked for; see `shouldRevalidate`. */
export async function loader({ context }: Route.LoaderArgs) {
  const { client, origin } = context.get(serverContext);
  const [settings, pages] = await Promise.all([client.call(readSettings, {}), client.call(listPages, {})]);
  const listed = pages.map(({ slug, title }) => ({ slug, title }));
  return { settings, look: shopLook(settings.shop, listed), origin, pages: listed };
}

/** A navigation does not change the settings. An admin who does revalidates the page in its place. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => defaultShouldRevalidate && currentUrl.href === nextUrl.href;

/** The icon and the colours of the shop. */
function ShopStyle() {
  const look = useRouteLoaderData<typeof loader>('root')?.look;
  if (look === undefined) return null;
  return (
    <>
      <link rel="icon" href={look.icon} />
      {look.touchIcon && <link rel="apple-touch-icon" href={look.touchIcon} />}
      {look.css && <style>{look.css}</style>}
    </>
  );
}

export function Layout({ children }: { children: ReactNode }) {
  // `entry.client.tsx` reads it before the hydration.
  const terms = useRouteLoaderData<typeof loader>('root')?.look.terms;
  return (
    <html lang="en" data-terms={terms} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {/* Styles need no nonce, and a nonce would differ during hydration: browsers hide it from scripts. */}
        <Links nonce="" />
        <ShopStyle />
        {/* After the styles: the parser waits for them. Chromium 153 paints elements of container queries half-styled
            when they were parsed earlier. */}
        <ThemeScript />
      </head>
      <body>
        {children}
        <PageScripts />
      </body>
    </html>
  );
}

/** Milliseconds until a pending navigation is cancelled. */
const NAVIGATION_TIMEOUT = 30_000;

/** Returns a function that cancels a pending navigation. */
function useCancelNavigation() {
  const current = useLocation();
  const navigate = useNavigate();
  // Navigating to the current URL does. Without data, which a server that hangs would not send either.
  return () =>
    void navigate(current, { replace: true, preventScrollReset: true, defaultShouldRevalidate: false });
}

function NavigationProgress() {
  const { state } = useNavigation();
  const cancelNavigation = useCancelNavigation();
  const cancelSlow = useEffectEvent(() => {
    toast.error('That page takes too long to answer. Please try again.');
    cancelNavigation();
  });
  useEffect(() => {
    if (state === 'idle') return;
    const limit = setTimeout(cancelSlow, NAVIGATION_TIMEOUT);
    return () => clearTimeout(limit);
  }, [state]);
  return state === 'idle' ? null : (
    <ProgressBar label="Opening the page" className="fixed inset-x-0 top-0 z-60 bg-transparent" />
  );
}

/** Opens a page as a new document. While the server does not send it, this page stays. */
async function openDocument(page: Location): Promise<void> {
  const url = createPath(page);
  const signal = AbortSignal.timeout(NAVIGATION_TIMEOUT);
  const isServed = await fetch(url, { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServed) location.assign(url);
  else toast.error('That page cannot be loaded. Please try again.');
}

/**
 * Blocks navigations that would fail and lose the current page: those that need the server while the browser is offline, or while the
 * scripts of a page cannot be loaded. Redirects to another page, such as after signing out, are not blocked.
 */
function NavigationBlocker() {
  const current = useLocation();
  const [opened] = useState(() => new Set<string>());
  opened.add(current.pathname);
  const pending = useRef<Location | null>(null);
  /** Whether the import of a page has failed: in this document, React Router waits for it for ever. */
  const hasFailedImport = useRef(false);
  const cancelNavigation = useCancelNavigation();
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const isBlocked =
      (!navigator.onLine || hasFailedImport.current) &&
      needsServer(currentLocation, nextLocation, opened) &&
      (historyAction !== 'REPLACE' || currentLocation.pathname === nextLocation.pathname);
    pending.current = isBlocked ? null : nextLocation;
    return isBlocked;
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (navigator.onLine) void openDocument(blocker.location);
    else toastOffline();
    blocker.reset();
  }, [blocker]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation has ended
  useEffect(() => {
    pending.current = null;
  }, [current]);
  // React Router reloads the document when it cannot import a page. If the server is down, the browser shows its own error page.
  const replaceReload = useEffectEvent((event: NavigateEvent) => {
    if (event.navigationType !== 'reload' || event.userInitiated || pending.current === null) return;
    event.preventDefault();
    hasFailedImport.current = true;
    void openDocument(pending.current);
    cancelNavigation();
  });
  useEffect(() => {
    const ended = new AbortController();
    // Undefined in older browsers, contrary to its type.
    const browser: Navigation | undefined = window.navigation;
    browser?.addEventListener('navigate', (event) => replaceReload(event), { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return null;
}

export default function App({ loaderData: { settings } }: Route.ComponentProps) {
  return (
    <SessionProvider settings={settings}>
      <NavigationProgress />
      <NavigationBlocker />
      <Outlet />
      <ToastHost />
    </SessionProvider>
  );
}

export function ErrorBoundary() {
  return (
    <main className="flex min-h-svh flex-col justify-center">
      <PageError onRetry={() => location.reload()} />
    </main>
  );
}
