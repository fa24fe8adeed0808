import { useEffect, useId, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { linkTo, paths } from '../links.ts';
import { remember, useRememberedPage } from '../session/remembered-page.ts';
import { useSession, useSessionActions } from '../session/session.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { OfflineBar } from '../ui/online.tsx';
import { ThemeSwitch } from '../ui/theme.tsx';
import { BrandMark } from './brand-mark.tsx';

function useLinks(): { to: string; name: string }[] {
  const signedIn = useSession().status === 'signed-in';
  return [
    { to: linkTo('homeByName'), name: 'Home' },
    { to: linkTo('blog'), name: 'Blog' },
    ...(signedIn ? [{ to: linkTo('dashboard'), name: 'Dashboard' }] : []),
  ];
}

function linkClasses({ isActive }: { isActive: boolean }): string {
  return `rounded-lg px-3.5 py-2.5 font-semibold hover:bg-sunken ${isActive ? 'text-aubergine' : 'text-ink'}`;
}

/** Login when signed out, Sign Out and the avatar when signed in; keeps its place until that is known. */
function Account() {
  const session = useSession();
  const { signOut } = useSessionActions();
  const location = useLocation();
  const remembered = useRememberedPage();
  if (session.status === 'loading' || session.status === 'failed') {
    return <span className="h-9 w-20" />;
  }
  if (session.status === 'signed-out' || session.status === 'second-factor') {
    const entering = location.pathname === paths.login || location.pathname === paths.register;
    return (
      <LinkButton size="small" to={linkTo('login')} state={entering ? remembered : remember(location)}>
        Login
      </LinkButton>
    );
  }
  return (
    <>
      <Button look="secondary" size="small" className="whitespace-nowrap max-sm:px-2.5" onClick={signOut}>
        Sign Out
      </Button>
      <Avatar name={session.person.name} photoUrl={session.person.photoUrl} />
    </>
  );
}

export function Navbar() {
  const links = useLinks();
  const location = useLocation();
  const menuId = useId();
  const [openAt, setOpenAt] = useState<string | null>(null);
  // The menu belongs to the page it was opened on, so that following a link closes it.
  const open = openAt === location.key;

  useEffect(() => {
    if (!open) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenAt(null);
    };
    addEventListener('keydown', closeOnEscape);
    return () => removeEventListener('keydown', closeOnEscape);
  }, [open]);

  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper">
      <OfflineBar />
      <div className="page-width flex h-16 items-center gap-2">
        <Link to={linkTo('home')} aria-label="Coomercio, home" className="-ml-1 rounded-lg p-1">
          <BrandMark />
        </Link>
        <nav aria-label="Main" className="ml-6 hidden items-center gap-1 md:flex">
          {links.map((link) => (
            <NavLink key={link.to} to={link.to} className={linkClasses}>
              {link.name}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1.5 sm:gap-2">
          <span className="hidden sm:block">
            <ThemeSwitch />
          </span>
          <Account />
          <button
            type="button"
            aria-expanded={open}
            aria-controls={menuId}
            aria-label="Menu"
            onClick={() => setOpenAt(open ? null : location.key)}
            className="-mr-2 grid size-10 place-items-center rounded-lg hover:bg-sunken md:hidden"
          >
            <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true">
              <path
                d={open ? 'm6 6 12 12M18 6 6 18' : 'M4 7h16M4 12h16M4 17h16'}
                stroke="currentColor"
                strokeWidth="1.75"
                strokeLinecap="round"
              />
            </svg>
          </button>
        </div>
      </div>
      <nav
        id={menuId}
        aria-label="Menu"
        hidden={!open}
        className="border-line border-t bg-paper px-2 py-3 shadow-raised md:hidden"
      >
        <div className="flex flex-col">
          {links.map((link) => (
            <NavLink key={link.to} to={link.to} className={linkClasses}>
              {link.name}
            </NavLink>
          ))}
          <span className="flex items-center justify-between py-1 pl-3.5 text-quiet sm:hidden">
            Light or dark <ThemeSwitch />
          </span>
        </div>
      </nav>
    </header>
  );
}
