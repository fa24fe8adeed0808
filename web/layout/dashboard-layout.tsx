import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { href, Link, NavLink, Outlet, useLocation } from 'react-router';
import { privateMeta } from '../metadata/page-meta.ts';
import { type RoleCheck, type Roles, useRoles } from '../session/roles.ts';
import { Button } from '../ui/button.tsx';
import { CloseIcon, Icon } from '../ui/icon.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { focusTarget } from '../ui/route-announcer.tsx';

export const meta = () => privateMeta('Dashboard');

interface DashboardLink {
  to: string;
  name: string;
  /** The role that sees the link; left out: everybody. */
  role?: 'isBuyer' | 'isSeller' | 'isAdmin';
}

const links: readonly DashboardLink[] = [
  { to: href('/dashboard/myOrders'), name: 'My Orders' },
  { to: href('/dashboard/myWishlist'), name: 'My Wishlist', role: 'isBuyer' },
  { to: href('/dashboard/myProducts'), name: 'My Products', role: 'isSeller' },
  { to: href('/dashboard/addProduct'), name: 'Add Product', role: 'isSeller' },
  { to: href('/dashboard/myBuyers'), name: 'My Buyers', role: 'isSeller' },
  { to: href('/dashboard/allSellers'), name: 'All Sellers', role: 'isAdmin' },
  { to: href('/dashboard/allBuyers'), name: 'All Buyers', role: 'isAdmin' },
  { to: href('/dashboard/reportedItems'), name: 'Reported Items', role: 'isAdmin' },
  { to: href('/dashboard/auditTrail'), name: 'Audit Trail', role: 'isAdmin' },
  { to: href('/dashboard/account'), name: 'Account' },
];

const noRoles: Roles = { isBuyer: false, isSeller: false, isAdmin: false };

function DrawerLinks({ roles }: { roles: RoleCheck }) {
  const { pathname } = useLocation();
  const known: Roles = roles.status === 'known' ? roles : noRoles;
  const isSecondFactorMissing = known.isAdmin && known.secondFactorDue;
  const isShown = ({ role }: DashboardLink) =>
    role === undefined || (known[role] && !(role === 'isAdmin' && isSecondFactorMissing));
  /** My Orders is the index page of the dashboard. */
  const isIndex = ({ to }: DashboardLink) =>
    to === href('/dashboard/myOrders') && pathname.replace(/\/$/, '') === href('/dashboard');
  return (
    <ul className="flex flex-col gap-1">
      {links.filter(isShown).map((link) => (
        <li key={link.to}>
          <NavLink
            to={link.to}
            {...(isIndex(link) && { 'aria-current': 'page' as const })}
            className={({ isActive }) =>
              `block rounded-lg px-4 py-2.5 font-semibold ${
                isActive || isIndex(link) ? 'bg-aubergine-soft text-aubergine' : 'hover:bg-sunken'
              }`
            }
          >
            {link.name}
          </NavLink>
        </li>
      ))}
      {isSecondFactorMissing && (
        <li className="mt-2 rounded-lg bg-orange-soft p-3 text-sm">
          The administrators’ pages require a{' '}
          <Link
            to={href('/dashboard/account')}
            className="font-semibold text-aubergine underline underline-offset-4"
          >
            second factor
          </Link>
          .
        </li>
      )}
    </ul>
  );
}

/** The failed role check, outside the drawer because the drawer is closed on phones. */
function RoleFailure({ roles }: { roles: RoleCheck }) {
  if (roles.status !== 'failed') return null;
  return (
    <div className="mt-3 rounded-lg bg-red-soft p-3 text-sm">
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
    </div>
  );
}

/** The drawer on phones. A navigation closes it. */
function MobileDrawer({ roles }: { roles: RoleCheck }) {
  const { key } = useLocation();
  const [openedAtKey, setOpenedAtKey] = useState<string | null>(null);
  const isNavigating = openedAtKey !== null && openedAtKey !== key;
  return (
    <Dialog.Root open={openedAtKey === key} onOpenChange={(open) => setOpenedAtKey(open ? key : null)}>
      <Dialog.Trigger
        render={
          <Button variant="secondary" size="small">
            <Icon d="M3 5h14M3 10h14M3 15h9" strokeLinecap="round" className="size-4" />
            Dashboard menu
          </Button>
        }
      />
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Dialog.Popup
          finalFocus={() => (isNavigating ? focusTarget('') : true)}
          className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] overflow-y-auto bg-surface p-4 shadow-raised transition-transform duration-150 data-[ending-style]:-translate-x-full data-[starting-style]:-translate-x-full"
        >
          <div className="mb-3 flex items-center justify-between pl-4">
            <Dialog.Title className="text-xl">Dashboard</Dialog.Title>
            <Dialog.Close
              aria-label="Close the menu"
              className="grid size-10 place-items-center rounded-full text-quiet hover:bg-sunken"
            >
              <CloseIcon />
            </Dialog.Close>
          </div>
          <nav aria-label="Dashboard">
            <DrawerLinks roles={roles} />
          </nav>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export default function DashboardLayout() {
  const roles = useRoles();
  return (
    <>
      {roles.status === 'pending' ? (
        <ProgressBar label="Checking your role" className="sticky top-16 z-20" />
      ) : (
        <div className="h-1" />
      )}
      <div className="page-width grid gap-6 py-6 lg:grid-cols-[15rem_1fr] lg:gap-10 lg:py-10">
        <aside className="hidden lg:block">
          <div className="sticky top-26">
            <nav aria-label="Dashboard">
              <DrawerLinks roles={roles} />
            </nav>
            <RoleFailure roles={roles} />
          </div>
        </aside>
        <div className="lg:hidden">
          <MobileDrawer roles={roles} />
          <RoleFailure roles={roles} />
        </div>
        <div className="min-w-0">
          <Outlet />
        </div>
      </div>
    </>
  );
}
