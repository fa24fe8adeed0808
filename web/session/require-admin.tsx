import { href } from 'react-router';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { RequireRole } from './require-role.tsx';
import { useRoles } from './roles.ts';

export default function RequireAdmin() {
  const roles = useRoles();
  if (roles.status === 'known' && roles.isAdmin && roles.secondFactorDue) {
    return (
      <EmptyState
        heading="h1"
        title="A second factor first"
        action={<LinkButton to={href('/dashboard/account')}>Set one up on your account page</LinkButton>}
      >
        This shop asks its administrators for more than a password. Set up an authenticator app or a passkey,
        and these pages open. If you have one already, sign out and sign in with it.
      </EmptyState>
    );
  }
  return <RequireRole required="isAdmin" users="the shop’s administrators" />;
}
