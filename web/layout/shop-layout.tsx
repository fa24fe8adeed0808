import type { ReactNode } from 'react';
import { Link, Outlet, useRouteLoaderData } from 'react-router';
import type { loader } from '../root.tsx';
import { RouteAnnouncer } from '../ui/route-announcer.tsx';
import { BrandMark } from './brand-mark.tsx';
import { Navbar } from './navbar.tsx';
import { PageError } from './page-error.tsx';
import { useSellLink } from './use-sell-link.ts';

/** The footer, whose texts and links `shop-look.server.ts` makes. */
function Footer() {
  const sellLink = useSellLink();
  const look = useRouteLoaderData<typeof loader>('root')?.look;
  return (
    <footer className="mt-16 border-border border-t bg-subtle">
      <div className="page-width grid gap-10 py-12 lg:grid-cols-[1fr_3fr]">
        <div>
          <BrandMark />
          <p className="mt-3 max-w-xs text-muted">{look?.about}</p>
        </div>
        <div className="-mb-10 gap-10 sm:columns-2 lg:columns-3 xl:columns-4">
          {look?.columns.map(({ title, entries }) => (
            <div key={title} className="break-inside-avoid pb-10">
              <h2 className="font-sans font-semibold text-base tracking-normal">{title}</h2>
              <ul className="wrap-anywhere mt-3 flex flex-col gap-1">
                {entries.map(({ text, url, reloadDocument }) => (
                  <li key={text} className={url === '' ? 'py-1 text-muted' : ''}>
                    {url === '' ? (
                      text
                    ) : (
                      <Link
                        to={url ?? sellLink}
                        reloadDocument={reloadDocument}
                        className="inline-block py-1 text-link underline-offset-4 hover:underline"
                      >
                        {text}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </footer>
  );
}

function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div className="flex min-h-svh flex-col">
      <a
        href="#page"
        className="sr-only z-60 rounded-lg bg-primary px-4 py-2 font-semibold text-on-primary focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to the page
      </a>
      <Navbar />
      <main id="page" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
      <RouteAnnouncer />
    </div>
  );
}

/** The layout of every page: navbar, main, footer. */
export default function ShopLayout() {
  return <Frame />;
}

/** A failed page leaves the navigation. */
export function ErrorBoundary() {
  return (
    <Frame>
      <PageError />
    </Frame>
  );
}
