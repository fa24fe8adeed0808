import { href, Outlet, useLocation } from 'react-router';
import { areaNames } from '#contract/platform/staff-rights.ts';
import { useRoles } from '../session/roles.ts';
import { SecondaryLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { mayOpen, rightsFor } from './dashboard-links.ts';
import { RequireRole } from './require-role.tsx';

/** Says which right a page needs. */
function MissingRight({ path }: { path: string }) {
  const areas = rightsFor(path).flatMap((right) => (right === 'owner' ? [] : `“${areaNames[right]}”`));
  return (
    <EmptyState
      heading="h1"
      title="Not among your rights"
      action={<SecondaryLink to={href('/dashboard')}>Go to your dashboard</SecondaryLink>}
    >
      {areas.length === 0
        ? 'Only the owners of the shop can open this page.'
        : `This page needs the right ${areas.join(' or ')}. An owner of the shop can give it to you, on the page Staff.`}
    </EmptyState>
  );
}

/** Requires an admin for the pages below, with a right that the page needs. */
export default function RequireAdmin() {
  const roles = useRoles();
  const { pathname } = useLocation();
  if (roles.status !== 'known' || !roles.isAdmin || roles.secondFactorDue) {
    return <RequireRole required="isAdmin" users="the shop’s administrators" />;
  }
  return mayOpen(roles, pathname) ? <Outlet /> : <MissingRight path={pathname} />;
}
