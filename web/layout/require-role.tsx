import { href, Outlet } from 'react-router';
import { useRoles } from '../session/roles.ts';
import { LinkButton, SecondaryLink } from '../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

interface RequireRoleProps {
  required: 'isAdmin' | 'isBuyer' | 'isSeller';
  /** Names the users of that role in the message to others. */
  users: string;
}

/** Requires a role for the pages below, and the second factor if the shop asks these people for one. */
export function RequireRole({ required, users }: RequireRoleProps) {
  const roles = useRoles();
  if (roles.status === 'pending') {
    return (
      <Loading what="your role">
        <Skeleton className="h-10 w-56 max-w-full" />
        <Skeleton className="mt-6 h-64" />
      </Loading>
    );
  }
  if (roles.status === 'failed') {
    return (
      <ErrorState
        heading="h1"
        title="We could not check your role"
        message={roles.message}
        onRetry={roles.retry}
        retrying={roles.retrying}
      />
    );
  }
  if (roles[required] && roles.secondFactorDue) {
    return (
      <EmptyState
        heading="h1"
        title="A second factor first"
        action={<LinkButton to={href('/dashboard/account')}>Set one up on your account page</LinkButton>}
      >
        This shop asks {users} for more than a password. Set up an authenticator app or a passkey, and these
        pages open. If you have one already, sign out and sign in with it.
      </EmptyState>
    );
  }
  if (!roles[required]) {
    return (
      <EmptyState
        heading="h1"
        title="Not for your account"
        action={<SecondaryLink to={href('/dashboard')}>Go to your dashboard</SecondaryLink>}
      >
        This page is for {users}. You are signed in with an account that has another role.
      </EmptyState>
    );
  }
  return <Outlet />;
}
