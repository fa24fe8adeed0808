import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { href, Outlet, useMatch } from 'react-router';
import { RecentSignIn } from '../forms/recent-sign-in.tsx';
import { siteOf, unlistedMeta } from '../metadata/page-meta.ts';
import { StaleDataFrame } from '../requests/query-view.tsx';
import { type RoleCheck, type Roles, useRoles } from '../session/roles.ts';
import { SmallButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { ActionLink } from '../ui/text-link.tsx';
import { useKeepFocus } from '../ui/use-keep-focus.ts';
import type { Route } from './+types/dashboard-layout.ts';
import { DashboardNavigation } from './dashboard-navigation.tsx';
import { PageError } from './page-error.tsx';

/** The title of a page that brings none of its own: the words of its path, such as `My Wishlist` of `myWishlist`. */
export function meta({ matches, location: { pathname } }: Route.MetaArgs) {
  const path = pathname.split('/')[2] || 'myOrders';
  const words = path.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());
  return unlistedMeta(words, siteOf(matches));
}

const noRoles: Roles = { isBuyer: false, isSeller: false, isAdmin: false };

/** The dashboard's links, and what somebody without a demanded second factor reads in place of most. */
function Navigation({ roles }: { roles: RoleCheck }) {
  const known: Roles = roles.status === 'known' ? roles : noRoles;
  return (
    <>
      <DashboardNavigation roles={known} />
      {known.secondFactorDue && (
        <Notice tone="info" className="mt-3 text-sm">
          {known.isAdmin ? 'The administrators’ pages require' : 'This shop asks those who sell for'} a{' '}
          <ActionLink to={href('/dashboard/account')}>second factor</ActionLink>.
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
      <SmallButton className="mt-2" onClick={roles.retry} busy={roles.retrying && 'Trying'}>
        Try again
      </SmallButton>
    </Notice>
  );
}

function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  const roles = useRoles();
  useKeepFocus();
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
          <div className="lg:sticky lg:top-26 lg:max-h-[calc(100svh-8rem)] lg:overflow-y-auto lg:overscroll-contain">
            <Navigation roles={roles} />
            <RoleFailure roles={roles} />
          </div>
        </div>
        <div className="min-w-0">
          <RecentSignIn>
            <StaleDataFrame>{children}</StaleDataFrame>
          </RecentSignIn>
        </div>
      </div>
    </>
  );
}

export default function DashboardLayout() {
  return <Frame />;
}

/** A failed page leaves the links. Its data are read anew, because it may have failed on them. */
export function ErrorBoundary() {
  const queries = useQueryClient();
  return (
    <Frame>
      <PageError onRetry={() => void queries.resetQueries()} />
    </Frame>
  );
}
