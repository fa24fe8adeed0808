import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { href, Link, Outlet, useLocation, useMatch } from 'react-router';
import { privateMeta } from '../metadata/page-meta.ts';
import { type RoleCheck, type Roles, useRoles } from '../session/roles.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { PageError } from './page-error.tsx';

export const meta = () => privateMeta('Dashboard');

interface DashboardLink {
  to: string;
  name: string;
  /** The role that sees the link; left out: everybody. */
  role?: 'isBuyer' | 'isSeller' | 'isAdmin';
  /** Other pages that are reached from it, by the first part of their paths. The last shown link that has the page counts. */
  childPages?: readonly string[];
}

const links: readonly DashboardLink[] = [
  { to: href('/dashboard/myOrders'), name: 'My Orders', childPages: ['order', 'payment'] },
  { to: href('/dashboard/myWishlist'), name: 'My Wishlist', role: 'isBuyer', childPages: ['buy'] },
  { to: href('/dashboard/savedSearches'), name: 'Saved Searches', role: 'isBuyer' },
  {
    to: href('/dashboard/myProducts'),
    name: 'My Products',
    role: 'isSeller',
    childPages: ['editProduct', 'measure'],
  },
  { to: href('/dashboard/addProduct'), name: 'Add Product', role: 'isSeller' },
  { to: href('/dashboard/myBuyers'), name: 'My Buyers', role: 'isSeller', childPages: ['order'] },
  { to: href('/dashboard/money'), name: 'Money', role: 'isSeller', childPages: ['statement'] },
  { to: href('/dashboard/allSellers'), name: 'All Sellers', role: 'isAdmin' },
  { to: href('/dashboard/allBuyers'), name: 'All Buyers', role: 'isAdmin' },
  { to: href('/dashboard/inspections'), name: 'Inspections', role: 'isAdmin' },
  { to: href('/dashboard/complaints'), name: 'Complaints', role: 'isAdmin' },
  { to: href('/dashboard/reviews'), name: 'Reviews', role: 'isAdmin' },
  { to: href('/dashboard/settlements'), name: 'Settlements', role: 'isAdmin' },
  { to: href('/dashboard/reportedItems'), name: 'Reported Items', role: 'isAdmin' },
  { to: href('/dashboard/shopMoney'), name: 'Shop Money', role: 'isAdmin' },
  { to: href('/dashboard/brands'), name: 'Brands', role: 'isAdmin' },
  { to: href('/dashboard/pages/:id?'), name: 'Pages', role: 'isAdmin' },
  { to: href('/dashboard/auditTrail'), name: 'Audit Trail', role: 'isAdmin' },
  { to: href('/dashboard/health'), name: 'Health', role: 'isAdmin' },
  { to: href('/dashboard/messages/:id?'), name: 'Messages' },
  { to: href('/dashboard/receipts'), name: 'Receipts', childPages: ['receipt'] },
  { to: href('/dashboard/notifications'), name: 'Notifications' },
  { to: href('/dashboard/account'), name: 'Account' },
];

const noRoles: Roles = { isBuyer: false, isSeller: false, isAdmin: false };

/** The pages of the dashboard: a row of tabs that scrolls sideways on narrow screens, a list beside the page on wide ones. */
function PageTabs({ roles }: { roles: RoleCheck }) {
  const { pathname } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const known: Roles = roles.status === 'known' ? roles : noRoles;
  const isSecondFactorMissing = known.isAdmin && known.secondFactorDue;
  const shown = links.filter(
    ({ role }) => role === undefined || (known[role] && !(role === 'isAdmin' && isSecondFactorMissing)),
  );
  /** My Orders is the index page of the dashboard. */
  const page = pathname.split('/')[2] || 'myOrders';
  const parent = shown.findLast(({ childPages }) => childPages?.includes(page) === true);
  const currentOf = (link: DashboardLink) => {
    if (link.to.split('/')[2] === page) return 'page';
    return link === parent ? 'true' : undefined;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page or more tabs move the current tab
  useLayoutEffect(() => {
    const row = list.current;
    const current = row?.querySelector<HTMLElement>('[aria-current]');
    // Not scrollIntoView, which would scroll the page as well.
    if (current) row?.scrollTo({ left: current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2 });
  }, [pathname, shown.length]);

  return (
    <>
      <nav aria-label="Dashboard">
        <ul
          ref={list}
          // The last tab ends before the faded edge, which shows that there are more.
          className="relative flex gap-1 max-lg:overflow-x-auto max-lg:pr-14 max-lg:[mask-image:linear-gradient(to_right,black_calc(100%-3.5rem),transparent)] max-lg:border-border max-lg:border-b max-lg:pb-2 max-md:-mx-4 max-md:pl-4 lg:flex-col"
        >
          {shown.map((link) => (
            <li key={link.to}>
              <Link
                to={link.to}
                aria-current={currentOf(link)}
                className="block whitespace-nowrap rounded-lg px-4 py-2.5 font-semibold -outline-offset-3 hover:bg-subtle aria-[current]:bg-accent-soft aria-[current]:text-link max-lg:px-3"
              >
                {link.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {isSecondFactorMissing && (
        <Notice tone="info" className="mt-3 text-sm">
          The administrators’ pages require a{' '}
          <Link to={href('/dashboard/account')} className="link font-semibold">
            second factor
          </Link>
          .
        </Notice>
      )}
    </>
  );
}

/** The failed role check. */
function RoleFailure({ roles }: { roles: RoleCheck }) {
  if (roles.status !== 'failed') return null;
  return (
    <Notice tone="problem" className="mt-3 text-sm">
      <p role="alert">We could not check your role: {roles.message}</p>
      <Button
        size="small"
        variant="secondary"
        className="mt-2"
        onClick={roles.retry}
        busy={roles.retrying && 'Trying'}
      >
        Try again
      </Button>
    </Notice>
  );
}

function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  const roles = useRoles();
  // A conversation fills a phone.
  const isConversation = useMatch('/dashboard/messages/:id') !== null;
  return (
    <>
      {roles.status === 'pending' ? (
        <ProgressBar label="Checking your role" className="sticky top-16 z-20" />
      ) : (
        <div className="h-1" />
      )}
      <div className="page-width grid gap-6 py-3 lg:grid-cols-[15rem_1fr] lg:gap-10 lg:py-10">
        <div className={`min-w-0 ${isConversation ? 'max-lg:hidden' : ''}`}>
          <div className="lg:sticky lg:top-26">
            <PageTabs roles={roles} />
            <RoleFailure roles={roles} />
          </div>
        </div>
        <div className="min-w-0">{children}</div>
      </div>
    </>
  );
}

export default function DashboardLayout() {
  return <Frame />;
}

/** A failed page leaves the tabs. Its data are read anew, because it may have failed on them. */
export function ErrorBoundary() {
  const queries = useQueryClient();
  return (
    <Frame>
      <PageError onRetry={() => void queries.resetQueries()} />
    </Frame>
  );
}
