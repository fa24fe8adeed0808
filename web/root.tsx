import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import {
  Links,
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

export default function App({ loaderData: { settings } }: Route.ComponentProps) {
  return (
    <SessionProvider settings={settings}>
      <NavigationProgress />
      <OfflineNavigationBlocker />
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
