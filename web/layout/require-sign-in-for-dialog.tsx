import { href, Navigate, useLocation, useSearchParams } from 'react-router';
import { useSession } from '../session/session.tsx';
import { toReturnPage } from './return-page.ts';

/**
 * Leads a visitor to the login page when the URL opens a dialog, and back here afterwards.
 * @param props.parameters the parameters of the URL that open a dialog for signed-in people
 */
export function RequireSignInForDialog({ parameters }: { parameters: readonly string[] }) {
  const { status } = useSession();
  const location = useLocation();
  const [search] = useSearchParams();
  const isSignInNeeded = status === 'signed-out' || status === 'second-factor' || status === 'unfinished';
  if (!isSignInNeeded || !parameters.some((name) => search.has(name))) return null;
  return <Navigate to={href('/login')} state={toReturnPage(location)} replace />;
}
