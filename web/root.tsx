import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import instrumentSans from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import type { ReactNode } from 'react';
import {
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  type LoaderFunctionArgs,
  Meta,
  type MetaFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useNavigation,
  useRouteError,
} from 'react-router';
import { readSettings } from '#contract/settings.ts';
import favicon from './favicon.svg?url';
import { inProcess } from './in-process.ts';
import { SessionProvider } from './session/session.tsx';
import { LinkButton } from './ui/button.tsx';
import { ProgressBar } from './ui/progress-bar.tsx';
import { KeptTheme } from './ui/theme.tsx';
import { ToastHost } from './ui/toast.tsx';
import styles from './ui/tokens.css?url';

const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' } as const;

export const links: LinksFunction = () => [
  { ...font, href: instrumentSans },
  { ...font, href: bricolage },
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', href: favicon, type: 'image/svg+xml' },
];

export const meta: MetaFunction = () => [{ title: 'Coomercio' }];

/** The settings and the origin, which stay the same as long as the page is open. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { client, origin } = context.get(inProcess);
  return { settings: await client.call(readSettings, {}), origin };
}

export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <KeptTheme />
        <Meta />
        {/* Styles need no nonce, and browsers hide a nonce from the scripts that take the page over. */}
        <Links nonce="" />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

function PageChange() {
  return useNavigation().state === 'idle' ? null : (
    <ProgressBar label="Opening the page" className="fixed inset-x-0 top-0 z-60 bg-transparent" />
  );
}

export default function Shop() {
  const { settings } = useLoaderData<typeof loader>();
  return (
    <SessionProvider settings={settings}>
      <PageChange />
      <Outlet />
      <ToastHost />
    </SessionProvider>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main className="page-width flex min-h-svh flex-col items-start justify-center gap-5 py-16">
      <title>{missing ? 'Page not found · Coomercio' : 'Something went wrong · Coomercio'}</title>
      <h1 className="max-w-2xl text-4xl sm:text-5xl">
        {missing ? 'The page you are looking for does not exist.' : 'Something went wrong on our side.'}
      </h1>
      {!missing && (
        <p className="max-w-prose text-quiet">
          Nothing you did caused this. Open the page again in a moment; if it stays away, start from the home
          page.
        </p>
      )}
      <LinkButton to="/" reloadDocument>
        Go to Homepage
      </LinkButton>
    </main>
  );
}
