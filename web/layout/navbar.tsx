import { useEffect, useRef } from 'react';
import { href, Link, NavLink, useLocation } from 'react-router';
import { useSession, useSessionStore, useShop } from '../session/session.tsx';
import { LinkButton, SmallButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { OfflineBar } from '../ui/online-status.tsx';
import { ThemeSwitch } from '../ui/theme.tsx';
import { BrandMark } from './brand-mark.tsx';
import { toReturnPage, useReturnPage } from './return-page.ts';
import { SearchBox } from './search-box.tsx';

/** The id of the popover that the Menu button opens. */
const MENU = 'menu';

function linkClasses({ isActive }: { isActive: boolean }): string {
  return `rounded-lg px-1.5 py-2.5 font-semibold hover:bg-subtle lg:px-3.5 ${isActive ? 'text-link' : 'text-foreground'}`;
}

const pages = [
  [href('/home'), 'Home'],
  [href('/laptops'), 'Laptops'],
  [href('/blog'), 'Blog'],
  [href('/dashboard'), 'Dashboard'],
] as const;

/** The dashboard is for signed-in people. */
function PageLinks() {
  const isSignedIn = useSession().status === 'signed-in';
  return pages.map(
    ([to, name]) =>
      (isSignedIn || to !== '/dashboard') && (
        <NavLink key={to} to={to} className={linkClasses}>
          {name}
        </NavLink>
      ),
  );
}

// Only signed-in people load these.
const Bell = lazyPart(() => import('../notifications/bell.tsx').then((loaded) => loaded.Bell));
const Avatar = lazyPart(() => import('../ui/avatar.tsx').then((loaded) => loaded.Avatar));

/** Login when signed out, except on the login page; bell, Sign Out and the avatar when signed in. A placeholder while the session loads. */
function Account() {
  const session = useSession();
  const { signOut } = useSessionStore();
  const location = useLocation();
  const returnPage = useReturnPage();
  if (session.status === 'loading' || session.status === 'failed') {
    return (
      <span className="h-9 w-20">
        <noscript>
          <LinkButton variant="secondary" size="small" to={href('/login')}>
            Login
          </LinkButton>
        </noscript>
      </span>
    );
  }
  if (session.status === 'signed-out' || session.status === 'second-factor') {
    if (location.pathname === href('/login')) return null;
    const isRegistering = location.pathname === href('/register');
    return (
      <LinkButton
        variant="secondary"
        size="small"
        to={href('/login')}
        state={isRegistering ? returnPage : toReturnPage(location)}
      >
        Login
      </LinkButton>
    );
  }
  return (
    <>
      {session.status === 'signed-in' && (
        <span className="size-[40px]">
          <Bell />
        </span>
      )}
      <SmallButton className="whitespace-nowrap max-sm:hidden" onClick={signOut}>
        Sign Out
      </SmallButton>
      <Link
        to={href('/dashboard/account')}
        aria-label={`Your account, ${session.person.name}`}
        className="size-[36px] rounded-full"
      >
        <Avatar name={session.person.name} photoUrl={session.person.photoUrl} />
      </Link>
    </>
  );
}

/** Sign Out in the menu of phones, where it would be the largest button of the navbar. */
function SignOutInMenu() {
  const session = useSession();
  const { signOut } = useSessionStore();
  if (session.status !== 'signed-in' && session.status !== 'unfinished') return null;
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => {
        // `popoverTarget` would close it after the click, when this button is gone already.
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        signOut();
      }}
      className={`text-left sm:hidden ${linkClasses({ isActive: false })}`}
    >
      Sign Out
    </button>
  );
}

/** The icon of the Menu button; a cross while the menu is open. CSS alone switches it, before hydration too. */
function MenuIcon() {
  return (
    <>
      <Icon name="menu" className="size-[min(1.5rem,32px)] group-has-[#menu:popover-open]:hidden" />
      <Icon name="close" className="hidden size-[min(1.5rem,32px)] group-has-[#menu:popover-open]:inline" />
    </>
  );
}

export function Navbar() {
  const { key, pathname } = useLocation();
  const isHome = pathname === href('/') || pathname === href('/home');
  const menu = useRef<HTMLElement>(null);

  const lastKey = useRef(key);

  useEffect(() => {
    // A navigation closes the menu. A menu opened before hydration stays open.
    if (lastKey.current !== key) menu.current?.hidePopover();
    lastKey.current = key;
  }, [key]);

  return (
    // On narrow screens the first row scrolls away and the search stays, unless the first row has the focus.
    <header
      className={`group sticky top-0 z-30 border-border border-b bg-background [anchor-name:--navbar] ${isHome ? '' : 'max-lg:-top-12 max-lg:has-[:is(a,button):focus-visible]:top-0'}`}
    >
      <div className="page-width flex flex-wrap items-center gap-x-2 lg:h-16 lg:flex-nowrap">
        <Link
          to={href('/')}
          aria-label={`${useShop().name}, home`}
          className="-ml-1 flex h-14 items-center rounded-lg p-1 -outline-offset-4"
        >
          <BrandMark />
        </Link>
        <nav aria-label="Main" className="hidden items-center md:flex lg:ml-6 lg:gap-1">
          <PageLinks />
        </nav>
        <SearchBox isHiddenWithHeroSearch={isHome} />
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1.5 sm:gap-2">
          <span className="hidden sm:block">
            <ThemeSwitch />
          </span>
          <Account />
          <button
            type="button"
            popoverTarget={MENU}
            aria-label="Menu"
            className="-mr-2 grid size-[40px] place-items-center rounded-lg hover:bg-subtle md:hidden"
          >
            <MenuIcon />
          </button>
        </div>
      </div>
      <OfflineBar />
      {/* A popover works before hydration. */}
      <nav
        ref={menu}
        id={MENU}
        popover="auto"
        aria-label="Menu"
        className="inset-auto inset-x-0 top-16 w-full max-w-none border-border border-b bg-background px-4 py-3 text-foreground shadow-raised [position-anchor:--navbar] supports-[top:anchor(bottom)]:top-[anchor(bottom)] md:hidden"
      >
        <div className="flex flex-col">
          <PageLinks />
          <SignOutInMenu />
          <span className="flex items-center justify-between py-1 pl-1.5 text-muted sm:hidden">
            Light or dark <ThemeSwitch />
          </span>
        </div>
      </nav>
    </header>
  );
}
