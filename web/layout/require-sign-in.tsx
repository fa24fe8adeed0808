import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { href, Navigate, Outlet, useLocation } from 'react-router';
import { clearQueries, queryClientFor } from '../requests/query-client.ts';
import { useSession, useSessionStore } from '../session/session.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { ErrorState, Loading, Skeleton } from '../ui/states.tsx';
import { toReturnPage } from './return-page.ts';

/** Requires a sign-in for the pages below: redirects to the login page, which leads back here. */
export default function RequireSignIn() {
  const session = useSession();
  const { retry } = useSessionStore();
  const location = useLocation();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  useEffect(() => {
    if (session.status === 'signed-out') clearQueries();
  }, [session.status]);
  if (session.status === 'signed-in' && !wasSignedIn) setWasSignedIn(true);
  if (session.status === 'signed-in') {
    return (
      <QueryClientProvider client={queryClientFor(session.person.email)}>
        <Outlet />
      </QueryClientProvider>
    );
  }
  if (session.status === 'loading') {
    return (
      <Loading what="your account">
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
    return <Navigate to={href('/')} replace />;
  }
  return <Navigate to={href('/login')} state={toReturnPage(location)} replace />;
}
