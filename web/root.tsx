import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import instrumentSans from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Links, Meta, Outlet, useBlocker, useLocation, useNavigate, useNavigation } from 'react-router';
import { listPages } from '#contract/operations/content.ts';
import { readSettings } from '#contract/operations/settings.ts';
import type { Route } from './+types/root.ts';
import { PublishedPagesProvider } from './content/published-pages.tsx';
import { PageScripts } from './deferred-hydration.tsx';
import favicon from './favicon.svg?url';
import { needsServer } from './layout/needs-server.ts';
import { PageError } from './layout/page-error.tsx';
import { serverContext } from './server-context.ts';
import { SessionProvider } from './session/session.tsx';
import { ProgressBar } from './ui/progress-bar.tsx';
import { ThemeScript } from './ui/theme.tsx';
import { ToastHost, toast, toastOffline } from './ui/toast.tsx';
import styles from './ui/tokens.css?url';

const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' } as const;

export const links: Route.LinksFunction = () => [
  { ...font, href: instrumentSans },
  { ...font, href: bricolage },
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', href: favicon, type: 'image/svg+xml' },
  // iPhones push only to a page that was added to the home screen.
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export const meta: Route.MetaFunction = () => [{ title: 'Coomercio' }];

/** Loaded once per document; see `shouldRevalidate`. */
export async function loader({ context }: Route.LoaderArgs) {
  const { client, origin } = context.get(serverContext);
  const [settings, pages] = await Promise.all([client.call(readSettings, {}), client.call(listPages, {})]);
  return { settings, origin, pages: pages.map(({ slug, title }) => ({ slug, title })) };
}

export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {/* Styles need no nonce, and a nonce would differ during hydration: browsers hide it from scripts. */}
        <Links nonce="" />
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

function NavigationProgress() {
  const { state } = useNavigation();
  const current = useLocation();
  const navigate = useNavigate();
  const cancelNavigation = useEffectEvent(() => {
    toast.error('That page takes too long to answer. Please try again.');
    // Navigating to the current URL cancels a pending navigation. Without data, which a server that hangs would not send either.
    void navigate(current, { replace: true, preventScrollReset: true, defaultShouldRevalidate: false });
  });
  useEffect(() => {
    if (state === 'idle') return;
    const limit = setTimeout(cancelNavigation, NAVIGATION_TIMEOUT);
    return () => clearTimeout(limit);
  }, [state]);
  return state === 'idle' ? null : (
    <ProgressBar label="Opening the page" className="fixed inset-x-0 top-0 z-60 bg-transparent" />
  );
}

/**
 * Blocks navigations that need the server while the browser is offline: they would fail and lose the current page. Redirects to
 * another page, such as after signing out, are not blocked.
 */
function OfflineNavigationBlocker() {
  const { pathname } = useLocation();
  const [opened] = useState(() => new Set<string>());
  opened.add(pathname);
  const { state, reset } = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      !navigator.onLine &&
      needsServer(currentLocation, nextLocation, opened) &&
      (historyAction !== 'REPLACE' || currentLocation.pathname === nextLocation.pathname),
  );
  useEffect(() => {
    if (state !== 'blocked') return;
    toastOffline();
    reset();
  }, [state, reset]);
  return null;
}

export default function App({ loaderData: { settings, pages } }: Route.ComponentProps) {
  return (
    <SessionProvider settings={settings}>
      <NavigationProgress />
      <OfflineNavigationBlocker />
      <PublishedPagesProvider value={pages}>
        <Outlet />
      </PublishedPagesProvider>
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
