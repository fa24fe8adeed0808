import { useEffect, useState } from 'react';
import { href, matchPath, Navigate, Outlet, useLocation } from 'react-router';
import { WithQueries } from '../requests/with-queries.tsx';
import { useSession, useSessionStore } from '../session/session.tsx';
import { createSessionActions } from '../session/session-actions.ts';
import { LinkButton } from '../ui/button.tsx';
import { NeedsScripts } from '../ui/needs-scripts.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { moveFocusTo } from '../ui/route-announcer.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';
import { toReturnPage } from './return-page.ts';

/** Lets the code of the session load with the page: found out only after hydration, it costs five round trips. */
export const handle = { createSessionActions };

interface SignedOutProps {
  /** The page that follows. */
  to: string;
  state?: unknown;
  /** The name of the link to it. */
  link: string;
}

/** Leads to the page that follows on a sign-out. Offline it cannot be loaded: a link leads there later. */
function SignedOut({ to, state, link }: SignedOutProps) {
  const [isOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    // The focused button was removed with the page.
    if (isOffline) moveFocusTo('');
  }, [isOffline]);
  if (!isOffline) return <Navigate to={to} state={state} replace />;
  return (
    <div className="page-width min-h-svh py-10">
      <EmptyState
        heading="h1"
        title="You are signed out."
        action={
          <LinkButton variant="secondary" to={to} state={state}>
            {link}
          </LinkButton>
        }
      />
    </div>
  );
}

/** Leads visitors without scripts from the laptops of a brand to those of the search. */
function SameLaptops({ pathname }: { pathname: string }) {
  const brand = matchPath('/category/:id', pathname)?.params.id;
  if (brand === undefined) return null;
  return (
    <>
      {' '}
      <a href={`/laptops?${new URLSearchParams({ brand })}`} className="link">
        See these laptops without it
      </a>
    </>
  );
}

/** Requires a sign-in for the pages below: redirects to the login page, which leads back here. */
export default function RequireSignIn() {
  const session = useSession();
  const { retry } = useSessionStore();
  const location = useLocation();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (session.status === 'signed-in' && !wasSignedIn) setWasSignedIn(true);
  if (session.status === 'signed-in') {
    return (
      <WithQueries>
        <Outlet />
      </WithQueries>
    );
  }
  if (session.status === 'loading') {
    return (
      <Loading what="your account">
        <NeedsScripts className="page-width pt-10">
          <SameLaptops pathname={location.pathname} />
        </NeedsScripts>
        <ProgressBar label="Checking who is signed in" className="sticky top-16" />
        <div className="page-width grid min-h-svh content-start gap-6 py-10">
          <Skeleton className="h-10 w-64 max-w-full" />
          <Skeleton className="h-40" />
          <Skeleton className="h-40" />
        </div>
      </Loading>
    );
  }
  if (session.status === 'failed') {
    return (
      <div className="page-width py-10">
        <ErrorState
          heading="h1"
          title="We could not check your account"
          message={session.message}
          onRetry={retry}
        />
      </div>
    );
  }
  if (session.status === 'signed-out' && session.kept !== undefined && wasSignedIn) {
    return <Navigate to={href('/account-deleted')} state={{ kept: session.kept }} replace />;
  }
  // Signing out by the button leads to the home page, not to the login page.
  if (session.status === 'signed-out' && session.byUser && wasSignedIn) {
    return <SignedOut to={href('/')} link="Go to the home page" />;
  }
  const state = toReturnPage(location);
  // In a new shop nobody has an account yet.
  return location.pathname === href('/dashboard/claim') ? (
    <SignedOut to={href('/register')} state={state} link="Register" />
  ) : (
    <SignedOut to={href('/login')} state={state} link="Log in" />
  );
}
