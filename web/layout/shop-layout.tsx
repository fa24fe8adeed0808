import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { RouteAnnouncer } from '../ui/route-announcer.tsx';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';
import { PageError } from './page-error.tsx';

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
