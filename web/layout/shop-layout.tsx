import { Outlet } from 'react-router';
import { RouteAnnouncer } from '../ui/route-announcer.tsx';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';

/** The layout of every page: navbar, main, footer. */
export default function ShopLayout() {
  return (
    <div className="flex min-h-svh flex-col">
      <a
        href="#page"
        className="sr-only z-60 rounded-lg bg-orange px-4 py-2 font-semibold text-on-orange focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to the page
      </a>
      <Navbar />
      <main id="page" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
      <RouteAnnouncer />
    </div>
  );
}
